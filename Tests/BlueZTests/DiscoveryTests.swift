import BeaconAdvertising
import BlueZ
import EventLoop
import Foundation
import Instants
import RadioHealth
import Ranging
import TestSupport
import Testing

/// The calls to BlueZ, their order, and the recovery from each fault.
@Suite struct DiscoveryTests {
  private static let address = "00:00:00:00:00:01"

  @Test func `the monitor is registered before the filter is set, and the filter before discovery starts`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    #expect(
      scene.fake.calls == [
        "RegisterMonitor hci0", "monitor hci0 or_patterns 0:ff:4c000215,2:ff:beac",
        "SetDiscoveryFilter hci0 DuplicateData=1 RSSI=-127 Transport=le", "StartDiscovery hci0",
      ])
    #expect(scene.source.adapters[0].notes == [])
  }

  @Test func `no call is made before the start, and starting twice equals starting once`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.wait(for: .idle)
    #expect(scene.fake.calls == [])
    scene.source.demand = .strength
    try scene.startScanning()
    scene.source.demand = .strength
    try scene.settle()
    #expect(scene.calls("StartDiscovery").count == 1)
  }

  @Test func `a stop ends discovery and monitor, and a new start resumes them`() throws {
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

  @Test func `a bluetoothd without the monitor interface scans, and the loss is reported`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address) nomonitor")
    try scene.startScanning()
    #expect(scene.calls("RegisterMonitor") == [])
    #expect(
      scene.source.adapters[0].notes == [
        "some controllers report a beacon only once in 10 s: BlueZ has no advertisement monitor; start bluetoothd with --experimental"
      ])
  }

  @Test func `a monitor that is rejected permanently does not delay discovery`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)", "fail RegisterMonitor NotPermitted 1")
    try scene.startScanning()
    #expect(scene.source.adapters[0].notes.first?.contains("told to fail RegisterMonitor") == true)
  }

  @Test func `a monitor that BlueZ releases is reported`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    try scene.command("release hci0")
    try scene.loop.wait { scene.source.adapters[0].notes.first?.contains("BlueZ released the monitor") == true }
    #expect(scene.state() == .scanning)
  }

  @Test(arguments: [("StartDiscovery", "NotReady"), ("StartDiscovery", "Failed"), ("SetDiscoveryFilter", "NotReady")])
  func `an error is retried after a pause`(method: String, error: String) throws {
    let scene = try BlueZScene("add hci0 \(Self.address)", "fail \(method) \(error) 2")
    let start = scene.loop.now
    scene.source.demand = .strength
    try scene.loop.wait { scene.source.adapters[0].notes.first?.contains("org.bluez.Error.\(error)") == true }
    try scene.startScanning()
    #expect(scene.loop.now - start >= .milliseconds(1100), "two waits, of 0.5 and 1 s less a quarter")
    #expect(scene.calls(method).count == 3)
    #expect(scene.source.adapters[0].notes == [])
  }

  @Test func `discovery that is already in progress is stopped first`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)", "fail StartDiscovery InProgress 1")
    try scene.startScanning()
    let calls = scene.fake.calls.filter { $0.hasSuffix("Discovery hci0") }
    #expect(calls == ["StartDiscovery hci0", "StopDiscovery hci0", "StartDiscovery hci0"])
  }

  @Test func `discovery that ends by itself is restarted`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    try scene.command("discovering hci0 off")
    try scene.loop.wait { scene.calls("StartDiscovery").count == 2 }
    try scene.wait(for: .scanning)
    #expect(scene.states.suffix(2) == ["\(Self.address) paused", "\(Self.address) scanning"])
  }

  @Test(arguments: [("off", AdapterHealth.State.off), ("blocked", .blocked)])
  func `an adapter that a user switches off is left off, and scans when it is on again`(
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

  @Test func `an adapter that is switched on as soon as it appears is used`() throws {
    let scene = try BlueZScene("add hci1 00:00:00:00:00:02")
    try scene.startScanning()
    try scene.fake.send("add hci0 \(Self.address) off")
    try scene.fake.send("power hci0 on")
    // Both are on the bus before the source can call it.
    usleep(300_000)
    try scene.loop.wait { scene.state(1) == .scanning }
  }

  @Test func `an adapter and its sightings stay the same under another name`() throws {
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

  @Test func `scanning resumes after bluetoothd was killed and answers InProgress for a while`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    try scene.restartBlueZ("add hci0 \(Self.address)", "fail StartDiscovery InProgress 2")
    #expect(scene.states.contains("\(Self.address) gone"))
    try scene.wait(for: .scanning)
    try scene.settle()
    #expect(scene.services.suffix(3) == [.running, .absent, .running])
    #expect(scene.source.adapters.count == 1)
  }

  @Test func `scanning resumes after the bus restarts`() throws {
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

  @Test func `a bluetoothd that returns before the bus is never reported as absent`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    try scene.bus.restart()
    // It appears while the loop of the source does not run.
    let other = try Loop()
    let next = try FakeBlueZ(other, scene.bus)
    for command in ["add hci0 \(Self.address)", "own"] { try next.send(command) }
    try other.wait { next.isIdle }
    let count = scene.services.count
    try scene.loop.wait { scene.services.dropFirst(count).last == .running }
    #expect(!scene.services.dropFirst(count).contains(.absent), "\(scene.services.dropFirst(count))")
  }

  @Test func `devices are never connected to or paired`() throws {
    let scene = try BlueZScene("add hci0 \(Self.address)")
    try scene.startScanning()
    try scene.command("device hci0 C0_00_00_00_00_01 -60 \(Payload.iBeacon(minor: 7))")
    try scene.command("companion hci0 C0_00_00_00_00_01 bonded on")
    try scene.settle()
    #expect(!scene.fake.calls.contains { $0.hasPrefix("Connect") || $0.hasPrefix("Pair") })
  }

  @Test func `only bluetoothd can call the monitor object`() throws {
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
