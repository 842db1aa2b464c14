import FleetStatus
import Testing

@Suite struct FleetStatusTests {
  private let status = FleetStatus(
    devices: [
      FleetStatus.Device(
        name: "a-very-long-name-of-a-site-0123.a-very-long-name-of-a-device-45", silence: 5, lag: -86_400_000_000, version: "0.1.0",
        revision: 12_345_678,
        missing: 1 << 50, lost: 99_999, refused: ["copy": 3, "future": 1_000_000_000], setAside: 4, isRevoked: true, looksCloned: true),
      FleetStatus.Device(
        name: "berlin.door", silence: nil, lag: nil, version: nil, revision: nil, missing: 0, lost: 0, refused: [:], setAside: 0,
        isRevoked: false,
        looksCloned: false),
    ],
    queues: [
      FleetStatus.Queue(number: 0, worker: "host.12.4711", isOwned: true, backlog: 123_456),
      FleetStatus.Queue(number: 1, worker: String(repeating: "host", count: 20), isOwned: true, isIdle: true, backlog: 0),
      FleetStatus.Queue(number: 63, worker: nil, isOwned: false, backlog: nil),
    ],
    alerts: [
      FleetStatus.Alert(
        id: 1_234_567, kind: "device-silent", text: String(repeating: "no message ", count: 20), age: 400_000, isMuted: true)
    ], failedDeliveries: 12,
    strangers: ["topic": FleetStatus.Stranger(messages: 2, detail: String(repeating: "fleet.v1.\"\\\u{1}", count: 12))],
    setAside: 7, databaseSize: 5 << 20,
    retention: [
      FleetStatus.Retention(
        kind: "digest", hours: 24, oldest: 89_000, size: 3 << 40, checked: 12, failure: String(repeating: "full ", count: 40)),
      FleetStatus.Retention(kind: "room-change", hours: 87_840, oldest: nil, size: nil, checked: nil, failure: nil),
    ])

  @Test("the table fits 80 columns")
  func width() { #expect(status.table.split(separator: "\n").allSatisfy { $0.count <= 80 }) }

  @Test("the table shows what needs attention")
  func table() {
    let table = status.table
    for text in [
      "berlin.door", "never", "revoked", "two devices", "refused: copy 3, future 1000M", "host.12.4711", "none", "database 5 MiB",
      "failed: full", "3660d",
      "  4 of them are in the table refused_event", "7 messages without a sender are in the table refused_event",
      "(no message yet)", "device-silent (muted)", "12 deliveries of alerts failed", "start \"beaconmon-hub alerts\"",
    ] {
      #expect(table.contains(text), "\(text)")
    }
  }

  @Test("the JSON escapes names and details")
  func json() {
    #expect(status.json.contains(#""setAside":4,"revoked":true"#) && status.json.contains("\"setAside\":7,\n"))
    #expect(status.json.contains(#""last":"fleet.v1.\"\\\u0001fleet"#))
    #expect(status.json.contains(#""alerts":[{"number":1234567,"kind":"device-silent","text":"no message"#))
    #expect(status.json.contains(#""owned":true,"idle":true"#))
    #expect(status.json.contains(#""name":"berlin.door","silence":null,"lag":null,"version":null"#))
    #expect(status.json.contains(#"{"kind":"room-change","hours":87840,"oldest":null,"size":null,"checked":null,"failure":null}"#))
  }
}
