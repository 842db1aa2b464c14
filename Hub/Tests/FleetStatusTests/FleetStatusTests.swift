import Foundation
import FleetStatus
import Testing

@Suite struct FleetStatusTests {
  /// A rollout with long texts.
  private static func rollout(_ revision: Int64, _ phase: String) -> FleetStatus.Rollout {
    var rollout = FleetStatus.Rollout(
      revision: revision, phase: phase, age: 7200, reason: String(repeating: "why ", count: 40),
      audience: String(repeating: "berlin, ", count: 30),
      actor: "root on hub", soak: 3600,
      counts: FleetStatus.RolloutCounts(waiting: 1, onTrial: 200_000, confirmed: 3, refused: 4, rolledBack: 5))
    rollout.canaries = [FleetStatus.RolloutDevice(name: "berlin.door", state: nil, text: "")]
    rollout.failures = [FleetStatus.RolloutDevice(name: "berlin.hall", state: .refused, text: "line 3: \"x\" is unknown")]
    return rollout
  }

  private static let status = FleetStatus(
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
    rollouts: [rollout(1 << 53, "failed"), rollout(8, "rest"), rollout(7, "soak")],
    unattributed: ["topic": FleetStatus.UnattributedRefusals(messages: 2, detail: String(repeating: "fleet.v1.\"\\\u{1}", count: 12))],
    setAside: 7, databaseSize: 5 << 20,
    retention: [
      FleetStatus.Retention(
        kind: "digest", hours: 24, oldest: 89_000, size: 3 << 40, checked: 12, failure: String(repeating: "full ", count: 40)),
      FleetStatus.Retention(kind: "room-change", hours: 87_840, oldest: nil, size: nil, checked: nil, failure: nil),
    ])

  private var status: FleetStatus {
    var status = Self.status
    status.devices[0].rollout = FleetStatus.DeviceRollout(
      revision: 1 << 53, state: .rolledBack, text: String(repeating: "offline ", count: 16))
    status.devices[0].enrolled = 3600
    status.devices[0].health = FleetStatus.DeviceHealth(
      problems: ["the disk is full", "adapter \u{1B}[31m\n hci0"], freeSpace: 12_345_678, droppedDigests: 123_456,
      isClockSynchronised: false)
    status.devices[1].enrolled = 300_000
    status.disks = [
      FleetStatus.Disk(machine: "hub1", path: "/var/lib/postgresql", free: 1_999_999_999, age: 7),
      FleetStatus.Disk(machine: String(repeating: "hub", count: 40), path: "/var", free: .max, age: 400_000),
    ]
    return status
  }

  /// Returns a device after this number of seconds without a message.
  private func device(_ silence: Int64?, enrolled: Int64, isRevoked: Bool = false) -> FleetStatus.Device {
    var device = FleetStatus.Device(
      name: "berlin.door", silence: silence, lag: nil, version: nil, revision: nil, missing: 0, lost: 0, refused: [:], setAside: 0,
      isRevoked: isRevoked, looksCloned: false)
    device.enrolled = enrolled
    return device
  }

  @Test("a device that never connected is shown as one, also after another enrolment and not after a revocation")
  func neverConnected() {
    func shows(_ device: FleetStatus.Device) -> Bool {
      FleetStatus(devices: [device], queues: [], unattributed: [:], databaseSize: 0).table.contains(
        "never connected since it was enrolled 50m ago")
    }
    #expect(shows(device(nil, enrolled: 3000)) && shows(device(3001, enrolled: 3000)))
    #expect(!shows(device(2999, enrolled: 3000)) && !shows(device(nil, enrolled: 3000, isRevoked: true)))
  }

  @Test("a wrong clock and a silence are shown with their remedies, and a device that never connected is not silent as well")
  func findings() {
    var device = device(700, enrolled: 3000)
    (device.lag, device.findings, device.isSilent) = (1_796_000_000, ["clock-behind"], true)
    var status = FleetStatus(devices: [device], queues: [], unattributed: [:], databaseSize: 0)
    #expect(status.table.contains("\n  the clock is behind by 20787d, unless its messages have waited as long; look"))
    #expect(status.table.contains("\n  silent for 11m; look at its power and its network\n"))
    #expect(status.json.contains(#""silent":true,"findings":["clock-behind"],"#))
    (status.devices[0].lag, status.devices[0].findings, status.devices[0].silence) = (-180, ["clock-ahead"], nil)
    #expect(status.table.contains("\n  the clock is ahead by 3m; look at its time synchronisation\n"))
    #expect(!status.table.contains("silent for"))
  }

  @Test("a certificate that ends in two months is shown, and a device that is expected later")
  func certificate() {
    func table(_ certificate: Int64?, expected: Int64? = nil) -> String {
      var device = device(nil, enrolled: 3000)
      (device.certificate, device.expected) = (certificate, expected)
      let status = FleetStatus(devices: [device], queues: [], unattributed: [:], databaseSize: 0)
      #expect(status.json.contains("\"certificate\":\(certificate.map { "\($0)" } ?? "null")"))
      return status.table
    }
    #expect(!table(60 * 86_400).contains("certificate") && !table(nil).contains("certificate"))
    #expect(table(12 * 86_400).contains("\n  the certificate ends in 12 days; enrol the device again\n"))
    #expect(table(-3 * 86_400).contains("\n  the certificate has ended 3 days ago; enrol the device again\n"))
    #expect(table(nil, expected: -7200).contains("\n  never connected since it was enrolled 50m ago, and is expected in 2h\n"))
  }

  @Test("a certificate of the hub that ends in two months is shown, in 80 columns")
  func hubCertificate() {
    var status = FleetStatus(devices: [], queues: [], unattributed: [:], databaseSize: 0)
    let path = "/etc/beaconmon-hub/hub.crt"
    status.certificates = [
      FleetStatus.Certificate(path: path, end: 60 * 86_400), FleetStatus.Certificate(path: "ca.crt", end: 7000 * 86_400),
    ]
    #expect(!status.table.contains("certificate"))
    #expect(status.json.contains(#""certificates":[{"path":"\#(path)","end":5184000},"#))
    status.certificates[0].end = 12 * 86_400
    #expect(status.table.contains("\n\nthe certificate \(path) ends in 12 days; make a new one") && !status.table.contains("ca.crt"))
    status.certificates[0].end = -3 * 86_400
    #expect(status.table.contains("\n\nthe certificate \(path) has ended 3 days ago;"))
    #expect(status.table.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("a remedy for refusals of the last day is shown once, whatever the number of its reasons")
  func refusals() {
    var device = device(1, enrolled: 3000)
    device.recentRefusals = ["conflict": "begin a new journal", "unverified": "begin a new journal"]
    let status = FleetStatus(devices: [device], queues: [], unattributed: [:], databaseSize: 0)
    #expect(status.table.split(separator: "\n").count { $0 == "  begin a new journal" } == 1 && !status.table.contains("two devices"))
    #expect(status.json.contains(#""recentRefusals":["conflict","unverified"],"#))
  }

  @Test("the report of a healthy device needs no line")
  func healthy() {
    var device = device(1, enrolled: 3000)
    device.health = FleetStatus.DeviceHealth(problems: [], freeSpace: 1 << 40, droppedDigests: 0, isClockSynchronised: true)
    let with = FleetStatus(devices: [device], queues: [], unattributed: [:], databaseSize: 0)
    device.health = nil
    #expect(with.table == FleetStatus(devices: [device], queues: [], unattributed: [:], databaseSize: 0).table)
    #expect(
      with.json.contains(
        #""neverConnected":false,"expected":null,"certificate":null,"problems":[],"freeSpace":1099511627776,"droppedDigests":0,"isClockSynchronised":true"#
      ))
  }

  @Test("a queue has the age of its newest message")
  func newest() {
    var status = FleetStatus(
      devices: [], queues: [FleetStatus.Queue(number: 2, worker: "a", isOwned: true, backlog: 3)], unattributed: [:], databaseSize: 0)
    #expect(status.table.contains("\n2            3       -  a\n") && status.json.contains(#""backlog":3,"newest":null}"#))
    status.queues[0].newest = 300
    #expect(status.table.contains("\n2            3      5m  a\n") && status.json.contains(#""backlog":3,"newest":300}"#))
  }

  @Test("the table fits 80 columns")
  func width() { #expect(status.table.split(separator: "\n").allSatisfy { $0.count <= 80 }) }

  @Test("the table shows what needs attention")
  func table() {
    let table = status.table
    for text in [
      "berlin.door", "never", "revoked", "two devices", "refused: copy 3, future 1000M", "host.12.4711", "none", "database 5 MiB",
      "failed: full", "3660d",
      "  4 of them are in the table refused_event", "7 messages without a sender are in the table refused_event",
      "rollout 9007199254740992: failed, for 2h\n  why", "rollout 9007199254740992: rolled back: offline",
      "  canary berlin.door: no answer",
      "  devices: 3 confirmed, 200k on trial, 4 refused, 5 rolled back, 1 without an\n  answer", "berlin.hall: refused: line 3", "…5678",
      "rollout 7:", "  never connected since it was enrolled 83h ago", "  problems: the disk is full; adapter ?[31m? hci0",
      "  free disk space: 12MB", "  dropped digests: 123k", "  the clock is not synchronised",
      "FREE     MEASURED  DISK\n1999MB         7s  hub1:/var/lib/postgresql", "manyMB",
      "(not taken yet)", "device-silent (muted)", "12 deliveries of alerts failed", "start \"beaconmon-hub alerts\"",
    ] {
      #expect(table.contains(text), "\(text)")
    }
    #expect(!table.contains("rollout 8:"), "an older one that has ended its trial")
  }

  @Test("a clock that the problems of a device name is shown once")
  func clock() {
    var device = FleetStatus.Device(
      name: "berlin.door", silence: 1, lag: 0, version: "1", revision: 0, missing: 0, lost: 0, refused: [:], setAside: 0, isRevoked: false,
      looksCloned: false)
    device.configuration = "0f1e"
    func shown(_ problems: [String]) -> FleetStatus {
      device.health = FleetStatus.DeviceHealth(problems: problems, freeSpace: nil, droppedDigests: 0, isClockSynchronised: false)
      return FleetStatus(devices: [device], queues: [], unattributed: [:], databaseSize: 0)
    }
    func count(_ problems: [String]) -> Int { shown(problems).table.components(separatedBy: "the clock is not synchronised").count - 1 }
    #expect(count(["the clock is not synchronised, so times of events may be wrong"]) == 1 && count(["the disk is full"]) == 1)
    #expect(shown([]).json.contains(#""configuration":"0f1e""#))
  }

  @Test("the JSON escapes names and details")
  func json() {
    #expect(status.json.contains(#""setAside":4,"revoked":true"#) && status.json.contains("\"setAside\":7,\n"))
    #expect(status.json.contains(#""last":"fleet.v1.\"\\\u0001fleet"#))
    #expect(status.json.contains(#""alerts":[{"number":1234567,"kind":"device-silent","text":"no message"#))
    #expect(status.json.contains(#""problems":["the disk is full","adapter \u001b[31m\n hci0"],"freeSpace":12345678"#))
    #expect(status.json.contains(#""disks":[{"machine":"hub1","path":"/var/lib/postgresql","free":1999999999,"age":7}"#))
    #expect(status.json.contains(#""owned":true,"idle":true"#))
    #expect(status.json.contains(#""rollout":{"revision":9007199254740992,"state":"rolledBack","text":"offline "#))
    #expect(status.json.contains(#""canaries":[{"name":"berlin.door","state":null,"text":""}]"#))
    #expect(status.json.contains(#"{"name":"berlin.hall","state":"refused","text":"line 3: \"x\" is unknown"}"#))
    #expect(status.json.contains(#""name":"berlin.door","silence":null,"lag":null,"version":null"#))
    #expect(status.json.contains(#"{"kind":"room-change","hours":87840,"oldest":null,"size":null,"checked":null,"failure":null}"#))
  }
}
