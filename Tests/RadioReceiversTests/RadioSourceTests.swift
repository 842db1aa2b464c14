import BeaconAdvertising
import Beacons
import Proximity
import RadioHealth
import Ranging
import TestSupport
import Testing

@testable import HCI
@testable import RadioReceivers

/// The choice between packets and bluetoothd, and the program that makes the adapters scan.
@Suite struct RadioSourceTests {
  private static let beacon = "0215e2c56db5dffb48d2b060d0f5a71096e000010007c5"

  private func settings(_ address: String, use: Bool = true, offset: Double = 0) throws -> AdapterSettings {
    AdapterSettings(address: try #require(BluetoothAddress(address)), isUsed: use, rssiOffset: offset)
  }

  @Test func `auto without the capability scans through bluetoothd, and states the reason`() throws {
    let scene = try RadioScene(.auto, isAllowed: false)
    scene.source.start()
    #expect(scene.source.choice == .bluez)
    #expect(scene.source.reason == "\(FakeKernel.refusal)")
    try scene.startBlueZ("add hci0 \(RadioScene.first)")
    try scene.loop.wait { scene.state() == .scanning }
    try scene.command("device hci0 C0_00_00_00_00_01 -60 \(Self.beacon)")
    try scene.loop.wait { scene.sightings.map(\.beacon.minor) == [7] }
    #expect(scene.source.trouble == nil)
  }

  @Test func `auto with the capability reads packets, while bluetoothd scans and reports little`() throws {
    let scene = try RadioScene(.auto)
    let controller = try scene.kernel.plug(0, RadioScene.first)
    try scene.startBlueZ("add hci0 \(RadioScene.first)")
    try scene.loop.wait { scene.source.reason?.contains("bluetoothd keeps") == true }
    scene.source.start()
    #expect(scene.source.choice == .hci)
    try scene.loop.wait { scene.state() == .scanning }
    #expect(scene.source.reason == "CAP_NET_RAW is available, so every packet is received; bluetoothd keeps the adapters scanning")
    #expect(scene.calls("SetDiscoveryFilter") == ["SetDiscoveryFilter hci0 Transport=le"])
    #expect(controller.commands.isEmpty)
    try scene.command("device hci0 C0_00_00_00_00_01 -60 \(Self.beacon)")
    controller.peer.send(Packets.iBeacon(minor: 3))
    try scene.loop.wait { !scene.sightings.isEmpty }
    #expect(scene.sightings.map(\.beacon.minor) == [3])
    #expect(scene.health()?.lastReport != nil)
  }

  @Test func `the source hci without the capability is refused`() throws {
    #expect(throws: RadioError.packets(FakeKernel.refusal)) { try RadioScene(.hci, isAllowed: false) }
  }

  @Test func `a configured backend has no reason`() throws {
    #expect(try RadioScene(.hci).source.reason == nil)
    #expect(try RadioScene(.bluez).source.reason == nil)
  }

  @Test func `beaconmond keeps the adapters scanning without bluetoothd, and stops while bluetoothd runs`() throws {
    let scene = try RadioScene(.auto)
    let controller = try scene.kernel.plug(0, RadioScene.first)
    scene.source.start()
    try scene.loop.wait { scene.state() == .scanning && controller.isScanning }
    #expect(scene.source.reason?.hasSuffix("without bluetoothd, beaconmond keeps the adapters scanning") == true)
    try scene.startBlueZ("add hci0 \(RadioScene.first)")
    try scene.loop.wait { !controller.isScanning && scene.calls("StartDiscovery").count == 1 && scene.state() == .scanning }
    scene.killBlueZ()
    try scene.loop.wait { controller.isScanning && scene.state() == .scanning }
    controller.peer.send(Packets.iBeacon(minor: 3))
    try scene.loop.wait { scene.sightings.map(\.adapter) == [0] }
  }

  @Test func `adapters stay present while a starting bluetoothd announces them one by one`() throws {
    let scene = try RadioScene(.hci)
    try scene.kernel.plug(0, RadioScene.first)
    try scene.kernel.plug(1, RadioScene.second)
    scene.source.start()
    try scene.loop.wait { [RadioScene.first, RadioScene.second].allSatisfy { scene.state($0) == .scanning } }
    try scene.startBlueZ("add hci0 \(RadioScene.first)", "add hci1 \(RadioScene.second)")
    try scene.loop.wait { scene.calls("StartDiscovery").count == 2 && scene.source.adapters.allSatisfy { $0.state == .scanning } }
    #expect(!scene.reported.flatMap(\.states).contains(.gone), "\(scene.reported)")
  }

  @Test func `an adapter that is plugged in while bluetoothd runs is not lost until bluetoothd lists it`() throws {
    let scene = try RadioScene(.hci)
    try scene.kernel.plug(0, RadioScene.first)
    try scene.startBlueZ("add hci0 \(RadioScene.first)")
    scene.source.start()
    try scene.loop.wait { scene.state() == .scanning }
    try scene.kernel.plug(1, RadioScene.second)
    #expect(scene.state(RadioScene.second) == .paused)
    try scene.command("add hci1 \(RadioScene.second)")
    try scene.loop.wait { scene.state(RadioScene.second) == .scanning }
    #expect(!scene.reported.flatMap(\.states).contains(.gone), "\(scene.reported)")
  }

  @Test(arguments: [true, false])
  func `a bluetoothd that was not looked up yet is not reported as missing`(isThereBluetoothd: Bool) throws {
    let scene = try RadioScene(.hci)
    try scene.kernel.plug(0, RadioScene.first)
    if isThereBluetoothd { try scene.startBlueZ("add hci0 \(RadioScene.first)") }
    #expect(scene.source.trouble == nil)
    scene.source.start()
    try scene.loop.wait { scene.state() == .scanning }
    #expect(scene.reported.allSatisfy { $0.trouble == nil && ($0.states == [.paused] || $0.states == [.scanning]) }, "\(scene.reported)")
  }

  /// The kernel switches a new adapter on for a while, and reports it as off.
  @Test(arguments: [true, false])
  func `a scan that rfkill ended is restarted, even if the adapter was reported off before`(isOn: Bool) throws {
    let scene = try RadioScene(.hci)
    let controller = try scene.kernel.plug(0, RadioScene.first, isOn: isOn)
    scene.source.start()
    try scene.loop.wait { scene.state() == .scanning }
    let before = controller.commands.count
    scene.kernel.block(0)
    #expect(scene.state() == .paused)
    try scene.loop.wait { scene.state() == .scanning && controller.commands.count > before }
  }

  @Test func `an adapter that is plugged in again under another name keeps its number and scans`() throws {
    let scene = try RadioScene(.hci)
    try scene.kernel.plug(0, RadioScene.first)
    try scene.kernel.plug(1, RadioScene.second)
    scene.source.start()
    try scene.loop.wait { scene.state(RadioScene.first) == .scanning && scene.state(RadioScene.second) == .scanning }
    #expect(scene.source.receivers == .each([.hearing, .hearing]))
    scene.kernel.unplug(0)
    #expect(scene.state() == .gone)
    #expect(scene.source.receivers == .each([.lost, .hearing]))
    let again = try scene.kernel.plug(5, RadioScene.first)
    try scene.loop.wait { scene.state() == .scanning }
    #expect(scene.health()?.name == "hci5")
    again.peer.send(Packets.iBeacon(minor: 3))
    try scene.loop.wait { scene.sightings.map(\.adapter) == [0] }
  }

  @Test(arguments: [RadioBackend.bluez, .hci])
  func `an ignored adapter is not used until the config changes`(backend: RadioBackend) throws {
    let scene = try RadioScene(backend, adapters: [try settings(RadioScene.first, use: false)])
    let unused = try scene.kernel.plug(0, RadioScene.first)
    try scene.kernel.plug(1, RadioScene.second)
    try scene.startBlueZ("add hci0 \(RadioScene.first)", "add hci1 \(RadioScene.second)")
    scene.source.start()
    try scene.loop.wait { scene.state(RadioScene.second) == .scanning }
    try scene.command("device hci0 C0_00_00_00_00_01 -60 \(Self.beacon)")
    unused.peer.send(Packets.iBeacon(minor: 7))
    #expect(scene.source.adapters.map { "\($0.address)" } == [RadioScene.second])
    #expect(scene.source.receivers == .each([.lost, .hearing]))
    #expect(scene.calls("StartDiscovery") == ["StartDiscovery hci1"])
    #expect(scene.sightings.isEmpty)
    scene.source.configure([try settings(RadioScene.second, use: false)])
    try scene.loop.wait { scene.state(RadioScene.first) == .scanning && scene.calls("StopDiscovery") == ["StopDiscovery hci1"] }
    #expect(scene.source.adapters.map { "\($0.address)" } == [RadioScene.first])
  }

  @Test func `a configured adapter that is not plugged in is reported as missing without an error`() throws {
    let scene = try RadioScene(.hci, adapters: [try settings(RadioScene.second, offset: 3)])
    try scene.kernel.plug(0, RadioScene.first)
    scene.source.start()
    try scene.loop.wait { scene.state() == .scanning }
    #expect(scene.health(RadioScene.second)?.state == .gone)
    #expect(scene.health(RadioScene.second)?.notes == ["it is not plugged in"])
    #expect(scene.source.receivers == .each([.lost, .hearing]))
    #expect(scene.source.roster.rssiOffsets == [0: 3])
    #expect(scene.source.trouble == nil)
  }

  @Test func `a source without any adapter states the remedy`() throws {
    let scene = try RadioScene(.bluez)
    // bluetoothd cannot be started without an adapter.
    scene.source.start()
    try scene.loop.wait { scene.source.trouble == "there is no Bluetooth adapter; plug one in" }
    try scene.kernel.plug(0, RadioScene.first)
    try scene.loop.wait { scene.source.trouble == "bluetoothd is not running; start it with \"systemctl start bluetooth\"" }
    try scene.startBlueZ()
    try scene.loop.wait { scene.source.trouble == "there is no Bluetooth adapter; plug one in" }
    try scene.command("add hci0 \(RadioScene.first)")
    try scene.loop.wait { scene.source.trouble == nil }
    scene.source.configure([try settings(RadioScene.first, use: false)])
    #expect(scene.source.trouble == "every Bluetooth adapter is ignored; plug in another one, or remove use = false from the config")
  }

  @Test(arguments: [RadioBackend.bluez, .hci], [true, false])
  func `an adapter without a demand is idle`(backend: RadioBackend, isThereBluetoothd: Bool) throws {
    guard backend == .hci || isThereBluetoothd else { return }
    let scene = try RadioScene(backend)
    scene.source.demand = .nothing
    try scene.kernel.plug(0, RadioScene.first)
    if isThereBluetoothd { try scene.startBlueZ("add hci0 \(RadioScene.first)") }
    scene.source.start()
    try scene.loop.wait { scene.state() == .idle }
    #expect(scene.source.receivers == .each([.paused]))
    scene.source.demand = .strength
    #expect(scene.state() != .idle)
    try scene.loop.wait { scene.state() == .scanning }
    scene.source.demand = .nothing
    try scene.loop.wait { scene.state() == .idle }
    #expect(scene.health()?.notes == [])
    #expect(scene.reported.allSatisfy { $0.trouble == nil }, "\(scene.reported)")
  }

  @Test(arguments: [("off", AdapterHealth.State.off, "bluetoothctl power on"), ("blocked", .blocked, "rfkill unblock bluetooth")])
  func `a state with a remedy for the user contains the advice`(command: String, state: AdapterHealth.State, advice: String) throws {
    let scene = try RadioScene(.hci)
    try scene.kernel.plug(0, RadioScene.first)
    try scene.startBlueZ("add hci0 \(RadioScene.first)")
    scene.source.start()
    try scene.loop.wait { scene.state() == .scanning }
    let since = try #require(scene.health()).since
    try scene.command("power hci0 \(command)")
    try scene.loop.wait { scene.state() == state }
    let health = try #require(scene.health())
    #expect(health.notes.count == 1 && health.notes[0].contains(advice))
    #expect(health.since > since)
    #expect(scene.source.receivers == .each([.lost]))
  }

  @Test func `a bluetoothd that does not know an adapter cannot scan with it`() throws {
    let scene = try RadioScene(.hci)
    try scene.kernel.plug(0, RadioScene.first)
    try scene.startBlueZ()
    scene.source.start()
    try scene.loop.wait { scene.health()?.notes == ["bluetoothd does not list it; wait, or restart bluetoothd"] }
    #expect(scene.state() == .gone)
    #expect(scene.reported.first?.states == [.paused])
    try scene.command("add hci0 \(RadioScene.first)")
    try scene.loop.wait { scene.state() == .scanning }
  }
}
