import BeaconAdvertising
import Beacons
import BlueZ
import EventLoop
import RadioHealth
import Records
import TestSupport
import Testing

/// The signals of BlueZ that count as sightings. A device that the signal does not mention was not heard.
@Suite struct SightingTests {
  private static let device = "C0_00_00_00_00_01"
  private let scene: BlueZScene

  init() throws {
    scene = try BlueZScene("add hci0 00:00:00:00:00:01")
    try scene.startScanning()
  }

  /// Returns minors and RSSI values of all sightings before the beacon that ends the wait.
  private func heard(_ commands: String...) throws -> [String] {
    for command in commands { try scene.command(command) }
    try scene.settle()
    return scene.sightings.filter { $0.beacon.minor != 999 }.map { "\($0.beacon.minor) \($0.rssi.map(String.init) ?? "-")" }
  }

  @Test func `a new device with an RSSI is a sighting, and so is each later report`() throws {
    let appears = "device hci0 \(Self.device) -60 \(Payload.iBeacon(minor: 7))"
    let again = "report hci0 \(Self.device) -61 \(Payload.iBeacon(minor: 7))"
    #expect(try heard(appears, again, again) == ["7 -60", "7 -61", "7 -61"])
    let sighting = try #require(scene.sightings.first)
    let uuid = try BeaconUUID("e2c56db5-dffb-48d2-b060-d0f5a71096e0")
    #expect(sighting.beacon == BeaconIdentity(uuid: uuid, major: 1, minor: 7))
    #expect(sighting.measuredPower == -59)
    #expect(sighting.adapter == 0)
  }

  @Test func `a sighting is delivered before a later change of its adapter's health`() throws {
    var order: [String] = []
    scene.source.onSightings = { order += $0.map { "\($0.beacon.minor)" } }
    scene.source.onHealthChange = { order.append("\($0.state)") }
    // Both signals mostly come in one turn of the loop.
    for minor in 1...10 {
      order = []
      try scene.fake.send("device hci0 C0_00_00_00_00_\(minor + 10) -60 \(Payload.iBeacon(minor: UInt16(minor)))")
      try scene.command("power hci0 off")
      try scene.loop.wait { order.contains("off") }
      #expect(order.first == "\(minor)", "\(order)")
      try scene.command("power hci0 on")
      try scene.wait(for: .scanning)
    }
  }

  @Test func `a device that BlueZ remembers is not a sighting, whatever its RSSI was`() throws {
    let remembered = try BlueZScene(
      "add hci0 00:00:00:00:00:01", "remember hci0 \(Self.device) -40 \(Payload.iBeacon(minor: 7))",
      "device hci0 C0_00_00_00_00_02 - \(Payload.iBeacon(minor: 8))")
    try remembered.startScanning()
    try remembered.settle()
    #expect(remembered.sightings.map(\.beacon.minor) == [999])
  }

  @Test func `a new RSSI alone is a sighting of the device's last beacon`() throws {
    let appears = "device hci0 \(Self.device) -60 \(Payload.iBeacon(minor: 7))"
    #expect(try heard(appears, "rssi hci0 \(Self.device) -70") == ["7 -60", "7 -70"])
  }

  @Test func `a new RSSI alone after another Apple frame is not a sighting`() throws {
    let appears = "device hci0 \(Self.device) -60 \(Payload.iBeacon(minor: 7))"
    let other = "report hci0 \(Self.device) -60 \(Payload.nearbyInfo)"
    #expect(try heard(appears, other, "rssi hci0 \(Self.device) -70") == ["7 -60"])
  }

  @Test func `data without an RSSI is a sighting without one`() throws {
    let appears = "device hci0 \(Self.device) -60 \(Payload.iBeacon(minor: 7))"
    #expect(try heard(appears, "report hci0 \(Self.device) - \(Payload.iBeacon(minor: 8))") == ["7 -60", "8 -"])
  }

  @Test func `an impossible RSSI is absent`() throws {
    #expect(try heard("device hci0 \(Self.device) 127 \(Payload.iBeacon(minor: 7))") == ["7 -"])
  }

  @Test func `names and connections are not sightings`() throws {
    let appears = "device hci0 \(Self.device) -60 \(Payload.iBeacon(minor: 7))"
    #expect(try heard(appears, "rename hci0 \(Self.device) Door", "companion hci0 \(Self.device) connected on") == ["7 -60"])
  }

  @Test func `advertisements other than iBeacons are counted by kind`() throws {
    _ = try heard(
      "device hci0 \(Self.device) -60 \(Payload.nearbyInfo)", "report hci0 \(Self.device) -60 \(Payload.shortIBeacon)",
      "other hci0 \(Self.device) -60 beac\(Payload.uuid)00010001c500", "other hci0 \(Self.device) -60 0102")
    #expect(scene.sightings.map(\.beacon.minor) == [1, 999])
    #expect(scene.sightings.map(\.format) == [.altBeacon, .iBeacon])
    let counts = scene.source.counts
    #expect(counts.kinds[.apple] == 1)
    #expect(counts.kinds[.malformed] == 1)
    #expect(counts.malformed[.iBeaconLength] == 1)
    #expect(counts.kinds[.altBeacon] == 1 && counts.beacons[.altBeacon] == 1)
    #expect(counts.kinds[.manufacturer] == 1)
    #expect(counts.kinds[.iBeacon] == 1)
    #expect(counts.reports == counts.kinds.total)
  }

  @Test func `malformed reports do not affect the valid ones around them`() throws {
    try scene.command("device hci0 \(Self.device) -60 \(Payload.iBeacon(minor: 7))")
    for _ in 0..<100 {
      try scene.fake.send("report hci0 \(Self.device) -60 \(Payload.shortIBeacon)")
      try scene.fake.send("report hci0 \(Self.device) -60 \(Payload.iBeacon(minor: 7))")
    }
    try scene.settle()
    #expect(scene.sightings.count { $0.beacon.minor == 7 } == 101)
    #expect(scene.source.counts.malformed[.iBeaconLength] == 100)
  }
}
