import BeaconAdvertising
import BlueZ
import EventLoop
import Foundation
import Instants
import Radios
import Ranging
import TestSupport
import Testing

/// The calls to BlueZ, their order, and the recovery from each fault.
@Suite struct DiscoveryTests {
  private static let address = "00:00:00:00:00:01"

  @Test func `the monitor is there before the filter, and the filter before discovery`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    #expect(
      scene.fake.calls == [
        "RegisterMonitor hci0", "monitor hci0 or_patterns 0:ff:4c000215",
        "SetDiscoveryFilter hci0 DuplicateData=1 RSSI=-127 Transport=le", "StartDiscovery hci0",
      ])
    #expect(scene.source.adapters[0].notes == [])
  }

  @Test func `nothing is asked before the start, and starting twice is starting once`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.wait(for: .idle)
    #expect(scene.fake.calls == [])
    scene.source.demand = .strength
    try scene.startScanning()
    scene.source.demand = .strength
    try scene.settle()
    #expect(scene.calls("StartDiscovery").count == 1)
  }

  @Test func `stopping gives back discovery and monitor, and can be taken back`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    scene.source.demand = .nothing
    scene.source.demand = .nothing
    try scene.loop.wait { scene.fake.calls.suffix(2) == ["StopDiscovery hci0", "UnregisterMonitor hci0"] }
    #expect(scene.state() == .idle)
    try scene.startScanning()
    #expect(scene.calls("RegisterMonitor").count == 2)
    #expect(scene.source.adapters[0].notes == [])
  }

  @Test func `without the monitor interface it scans and says what is lost`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address) nomonitor")
    try scene.startScanning()
    #expect(scene.calls("RegisterMonitor") == [])
    #expect(
      scene.source.adapters[0].notes == [
        "some controllers report a beacon only once in 10 s: BlueZ has no advertisement monitor; start bluetoothd with --experimental"
      ])
  }

  @Test func `a monitor that is refused for good does not hold up discovery`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)", "fail RegisterMonitor NotPermitted 1")
    try scene.startScanning()
    #expect(scene.source.adapters[0].notes.first?.contains("told to fail RegisterMonitor") == true)
  }

  @Test func `a monitor that BlueZ lets go of is told`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    try scene.command("release hci0")
    try scene.loop.wait { scene.source.adapters[0].notes.first?.contains("BlueZ released the monitor") == true }
    #expect(scene.state() == .scanning)
  }

  @Test(arguments: [("StartDiscovery", "NotReady"), ("StartDiscovery", "Failed"), ("SetDiscoveryFilter", "NotReady")])
  func `after an error it tries again, without haste`(method: String, error: String) throws {
    let scene = try BlueZScene("add hci0 \(Self.address)", "fail \(method) \(error) 2")
    let start = scene.loop.now
    scene.source.demand = .strength
    try scene.loop.wait { scene.source.adapters[0].notes.first?.contains("org.bluez.Error.\(error)") == true }
    try scene.startScanning()
    #expect(scene.loop.now - start >= .milliseconds(1100), "two waits, of 0.5 and 1 s less a quarter")
    #expect(scene.calls(method).count == 3)
    #expect(scene.source.adapters[0].notes == [])
  }

  @Test func `when discovery is in progress already it is stopped first`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)", "fail StartDiscovery InProgress 1")
    try scene.startScanning()
    let calls = scene.fake.calls.filter { $0.hasSuffix("Discovery hci0") }
    #expect(calls == ["StartDiscovery hci0", "StopDiscovery hci0", "StartDiscovery hci0"])
  }

  @Test func `discovery that ends by itself begins again`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    try scene.command("discovering hci0 off")
    try scene.loop.wait { scene.calls("StartDiscovery").count == 2 }
    try scene.wait(for: .scanning)
    #expect(scene.states.suffix(2) == ["\(Self.address) paused", "\(Self.address) scanning"])
  }

  @Test(arguments: [("off", AdapterHealth.State.off), ("blocked", .blocked)])
  func `an adapter that somebody switches off is left off, and scans when it is on again`(
    command: String, state: AdapterHealth.State
  ) throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    try scene.command("power hci0 \(command)")
    try scene.wait(for: state)
    #expect(scene.calls("Set") == [])
    try scene.command("power hci0 on")
    try scene.wait(for: .scanning)
    try scene.settle()
  }

  @Test func `an adapter that is switched on as soon as it appears is on`() throws {
    let scene = try BlueZScene("add hci1 00:00:00:00:00:02")
    try scene.startScanning()
    try scene.fake.send("add hci0 \(Self.address) off")
    try scene.fake.send("power hci0 on")
    // Both are on the bus before the source can ask it for anything.
    usleep(300_000)
    try scene.loop.wait { scene.state(1) == .scanning }
  }

  @Test func `an adapter is itself under another name, and its sightings are`() throws {
    let scene = try BlueZScene("add hci1 00:00:00:00:00:02", "add hci0 \(Self.address)")
    try scene.startScanning(adapters: 2)
    let index = try #require(scene.source.adapters.first { "\($0.address)" == Self.address }?.number)
    try scene.command("remove hci0")
    try scene.loop.wait { scene.source.adapters[Int(index)].state == .gone }
    #expect(scene.source.adapters[Int(index)].name == nil)
    try scene.command("add hci7 \(Self.address)")
    try scene.loop.wait { scene.source.adapters[Int(index)].state == .scanning }
    #expect(scene.source.adapters[Int(index)].name == "hci7")
    #expect(scene.source.adapters.count == 2)
    try scene.command("device hci7 C0_00_00_00_00_01 -60 \(Payload.iBeacon(minor: 7))")
    try scene.loop.wait { !scene.sightings.isEmpty }
    #expect(scene.sightings.map(\.adapter) == [index])
    #expect(!scene.states.contains { $0.hasPrefix("00:00:00:00:00:02 gone") })
  }

  @Test func `bluetoothd is killed and comes back, and InProgress for a while does not stop it`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    try scene.restartBlueZ("add hci0 \(Self.address)", "fail StartDiscovery InProgress 2")
    #expect(scene.states.contains("\(Self.address) gone"))
    try scene.wait(for: .scanning)
    try scene.settle()
    #expect(scene.services.suffix(3) == [.running, .absent, .running])
    #expect(scene.source.adapters.count == 1)
  }

  @Test func `the bus dies and comes back`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    try scene.bus.restart()
    try scene.loop.wait { if case .unreachable(.some) = scene.source.service { true } else { false } }
    #expect(scene.state() == .gone)
    try scene.loop.wait { scene.source.service == .absent }
    try scene.restartBlueZ("add hci0 \(Self.address)")
    try scene.wait(for: .scanning)
    try scene.settle()
  }

  @Test func `a bluetoothd that is back before the bus is found again is never said to be absent`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    try scene.bus.restart()
    // It comes while the source does not look, whose loop stands still.
    let other = try Loop()
    let next = try FakeBlueZ(other, scene.bus)
    for command in ["add hci0 \(Self.address)", "own"] { try next.send(command) }
    try other.wait { next.isIdle }
    let count = scene.services.count
    try scene.loop.wait { scene.services.dropFirst(count).last == .running }
    #expect(!scene.services.dropFirst(count).contains(.absent), "\(scene.services.dropFirst(count))")
  }

  @Test func `no device is ever connected to or paired`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    try scene.command("device hci0 C0_00_00_00_00_01 -60 \(Payload.iBeacon(minor: 7))")
    try scene.command("companion hci0 C0_00_00_00_00_01 bonded on")
    try scene.settle()
    #expect(!scene.fake.calls.contains { $0.hasPrefix("Connect") || $0.hasPrefix("Pair") })
  }

  @Test func `the monitor is nobody's but bluetoothd's`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    let address = "--address=\(scene.bus.address)"
    let names = try scene.loop.result(of: ["busctl", address, "--list", "--no-legend", "--unique", "list"]).output.text
    for name in names.split(separator: "\n").compactMap({ $0.split(separator: " ").first.map(String.init) }) where name.hasPrefix(":") {
      let tree = try scene.loop.result(of: ["busctl", address, "--list", "tree", name]).output.text
      #expect(!tree.contains("ibeacon"))
    }
  }

}
