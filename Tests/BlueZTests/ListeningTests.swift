import BeaconAdvertising
import BlueZ
import Ranging
import Radios
import TestSupport
import Testing

/// Presence through the advertisement monitor alone: the calls to BlueZ, and the signals that count as sightings.
@Suite struct ListeningTests {
  private static let adapter = "add hci0 00:00:00:00:00:01"
  private static let device = "C0_00_00_00_00_01"
  private static let beacon = "\(device) -60 \(Payload.iBeacon(minor: 7))"

  /// Minors and RSSI values, up to the finding of one more beacon.
  private func heard(_ scene: BlueZScene) throws -> [String] {
    let last = "FF_FF_FF_FF_FF_FF"
    try scene.command("device hci0 \(last) -50 \(Payload.iBeacon(minor: 999))")
    try scene.command("found hci0 \(last)")
    try scene.loop.wait { scene.sightings.contains { $0.beacon.minor == 999 } }
    return scene.sightings.filter { $0.beacon.minor != 999 }.map { "\($0.beacon.minor) \($0.rssi.map(String.init) ?? "-")" }
  }

  @Test func `presence takes the monitor and no discovery`() throws {
    let scene = try BlueZScene(Self.adapter)
    try scene.startScanning(.presence)
    #expect(scene.fake.calls == ["RegisterMonitor hci0", "monitor hci0 or_patterns 0:ff:4c000215"])
    #expect(scene.source.adapters[0].notes == [])
  }

  @Test func `each finding is a sighting, with an RSSI where a new one was signalled`() throws {
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

  @Test func `a device that BlueZ knew before is the beacon that it was, once it is found`() throws {
    let scene = try BlueZScene(Self.adapter, "remember hci0 \(Self.beacon)")
    try scene.startScanning(.presence)
    try scene.command("found hci0 \(Self.device)")
    #expect(try heard(scene) == ["7 -"])
  }

  @Test func `a device that came while nobody wanted to hear any is the beacon that it is, once it is found`() throws {
    let scene = try BlueZScene(Self.adapter + " off")
    try scene.command("device hci0 \(Self.beacon)")
    // What was signalled before that is heard then, too.
    try scene.command("power hci0 on")
    try scene.wait(for: .idle)
    try scene.startScanning(.presence)
    try scene.command("found hci0 \(Self.device)")
    #expect(try heard(scene) == ["7 -"])
  }

  @Test func `in a discovery a finding says nothing that was not signalled`() throws {
    let scene = try BlueZScene(Self.adapter)
    try scene.startScanning(.strength)
    try scene.command("device hci0 \(Self.beacon)")
    try scene.command("found hci0 \(Self.device)")
    try scene.settle()
    #expect(scene.sightings.map(\.beacon.minor) == [7, 999])
  }

  @Test func `strength begins a discovery beside the monitor, and presence ends it, and it hears all the time`() throws {
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
  func `where the monitor does not tell of every report it takes a discovery`(lack: String) throws {
    let scene = try BlueZScene("\(Self.adapter) \(lack)")
    try scene.startScanning(.presence)
    #expect(scene.calls("StartDiscovery") == ["StartDiscovery hci0"])
  }

  @Test func `a monitor that BlueZ lets go of is replaced by a discovery`() throws {
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

  @Test func `nothing gives the monitor back`() throws {
    let scene = try BlueZScene(Self.adapter)
    try scene.startScanning(.presence)
    scene.source.demand = .nothing
    try scene.loop.wait { scene.calls("UnregisterMonitor") == ["UnregisterMonitor hci0"] }
    #expect(scene.state() == .idle)
  }
}
