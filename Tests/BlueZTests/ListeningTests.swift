import BeaconAdvertising
import Beacons
import BlueZ
import RadioHealth
import Ranging
import TestSupport
import Testing

/// Presence through the advertisement monitor alone: the calls to BlueZ, and the signals that count as sightings.
@Suite struct ListeningTests {
  private static let adapter = "add hci0 00:00:00:00:00:01"
  private static let device = "C0_00_00_00_00_01"
  private static let beacon = "\(device) -60 \(Payload.iBeacon(minor: 7))"

  /// Returns minors and RSSI values until one more beacon is found.
  private func heard(_ scene: BlueZScene) throws -> [String] {
    let last = "FF_FF_FF_FF_FF_FF"
    try scene.command("device hci0 \(last) -50 \(Payload.iBeacon(minor: 999))")
    try scene.command("found hci0 \(last)")
    try scene.loop.wait { scene.sightings.contains { $0.beacon.minor == 999 } }
    return scene.sightings.filter { $0.beacon.minor != 999 }.map { "\($0.beacon.minor) \($0.rssi.map(String.init) ?? "-")" }
  }

  @Test func `presence uses the monitor without discovery`() throws {
    let scene = try BlueZScene(Self.adapter)
    try scene.startScanning(.presence)
    #expect(scene.fake.calls == ["RegisterMonitor hci0", "monitor hci0 or_patterns 0:ff:4c000215,2:ff:beac"])
    #expect(scene.source.adapters[0].notes == [])
  }

  @Test func `each device found is a sighting, with an RSSI if a new one was signalled`() throws {
    let scene = try BlueZScene(Self.adapter)
    try scene.startScanning(.presence)
    try scene.command("device hci0 \(Self.beacon)")
    for _ in 0..<3 { try scene.command("found hci0 \(Self.device)") }
    try scene.command("rssi hci0 \(Self.device) -75")
    try scene.command("found hci0 \(Self.device)")
    #expect(try heard(scene) == ["7 -60", "7 -", "7 -", "7 -75"])
    #expect(scene.source.counts.iBeacons == 5)
    #expect(scene.source.counts.reports == 5)
  }

  @Test func `a device that BlueZ already knew is sighted as its last beacon when it is found`() throws {
    let scene = try BlueZScene(Self.adapter, "remember hci0 \(Self.beacon)")
    try scene.startScanning(.presence)
    try scene.command("found hci0 \(Self.device)")
    #expect(try heard(scene) == ["7 -"])
  }

  @Test func `a device that appeared before the demand is sighted as its beacon when it is found`() throws {
    let scene = try BlueZScene(Self.adapter + " off")
    try scene.command("device hci0 \(Self.beacon)")
    // The source reads the earlier signals before this one.
    try scene.command("power hci0 on")
    try scene.wait(for: .idle)
    try scene.startScanning(.presence)
    try scene.command("found hci0 \(Self.device)")
    #expect(try heard(scene) == ["7 -"])
  }

  @Test func `during discovery, a device that is found without signalled data is not a sighting`() throws {
    let scene = try BlueZScene(Self.adapter)
    try scene.startScanning(.strength)
    try scene.command("device hci0 \(Self.beacon)")
    try scene.command("found hci0 \(Self.device)")
    try scene.settle()
    #expect(scene.sightings.map(\.beacon.minor) == [7, 999])
  }

  @Test func `strength starts discovery beside the monitor, presence ends it, and sightings continue throughout`() throws {
    let scene = try BlueZScene(Self.adapter)
    try scene.startScanning(.presence)
    scene.source.demand = .strength
    try scene.loop.wait { !scene.calls("StartDiscovery").isEmpty }
    scene.source.demand = .presence
    try scene.loop.wait { !scene.calls("StopDiscovery").isEmpty }
    #expect(scene.calls("RegisterMonitor").count == 1)
    #expect(scene.states.filter { $0.hasSuffix("paused") }.count <= 1, "only before the monitor was there")
  }

  @Test(arguments: ["nomonitor", "offload"])
  func `discovery runs if the monitor does not report every advertisement`(lack: String) throws {
    let scene = try BlueZScene("\(Self.adapter) \(lack)")
    try scene.startScanning(.presence)
    #expect(scene.calls("StartDiscovery") == ["StartDiscovery hci0"])
  }

  @Test func `discovery replaces a monitor that BlueZ releases`() throws {
    let scene = try BlueZScene(Self.adapter)
    try scene.startScanning(.presence)
    try scene.command("release hci0")
    try scene.loop.wait { !scene.calls("StartDiscovery").isEmpty }
    try scene.wait(for: .scanning)
  }

  @Test func `a bonded device that is away needs no pauses`() throws {
    let scene = try BlueZScene(Self.adapter)
    try scene.startScanning(.presence)
    try scene.command("device hci0 \(Self.beacon)")
    try scene.command("companion hci0 \(Self.device) bonded on")
    try scene.command("found hci0 \(Self.device)")
    #expect(try heard(scene) == ["7 -60"])
    #expect(scene.calls("StopDiscovery") == [])
  }

  @Test func `the monitor is released when the demand ends`() throws {
    let scene = try BlueZScene(Self.adapter)
    try scene.startScanning(.presence)
    scene.source.demand = .nothing
    try scene.loop.wait { scene.calls("UnregisterMonitor") == ["UnregisterMonitor hci0"] }
    #expect(scene.state() == .idle)
  }
}
