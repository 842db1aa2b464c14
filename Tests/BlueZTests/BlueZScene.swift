import BeaconAdvertising
import Beacons
import BlueZ
import DBus
import EventLoop
import RadioHealth
import Ranging
import TestSupport

/// A private bus, a fake bluetoothd that runs the test's commands, and a source that uses it.
final class BlueZScene {
  let bus: PrivateBus
  let loop: Loop
  let source: BlueZSource
  private(set) var fake: FakeBlueZ
  private(set) var sightings: [Sighting] = []
  /// The reported states, in order: `00:00:00:00:00:01 scanning`.
  private(set) var states: [String] = []
  private(set) var services: [BlueZSource.Service] = []

  /// Returns once the source knows the adapters, of which there must be one. The source is not started.
  init(_ commands: String...) throws {
    bus = try PrivateBus()
    loop = try Loop()
    source = try BlueZSource(loop, bus: .explicit(bus.address))
    fake = try FakeBlueZ(loop, bus)
    follow()
    for command in commands + ["own"] { try fake.send(command) }
    try loop.wait { fake.isIdle && !source.adapters.isEmpty }
  }

  private func follow() {
    fake.onOutput = { [unowned self] in loop.stop() }
    source.onSightings = { [unowned self] in
      sightings += $0
      loop.stop()
    }
    source.onHealthChange = { [unowned self] in
      states.append("\($0.address) \($0.state)")
      loop.stop()
    }
    source.onServiceChange = { [unowned self] in
      services.append($0)
      loop.stop()
    }
  }

  /// Returns when the fake bluetoothd has run the command. The loop has not yet received its signals.
  func command(_ command: String) throws {
    try fake.send(command)
    try loop.wait { fake.isIdle }
  }

  /// Sets the demand and returns when every one of the adapters scans.
  func startScanning(_ demand: HearingDemand = .strength, adapters: Int = 1) throws {
    source.demand = demand
    try loop.wait { source.adapters.count { $0.state == .scanning } == adapters }
  }

  func state(_ index: Int = 0) -> AdapterHealth.State? {
    source.adapters.indices.contains(index) ? source.adapters[index].state : nil
  }

  func wait(for state: AdapterHealth.State) throws {
    try loop.wait { self.state() == state }
  }

  /// Waits for a sighting of beacon `minor` through another device, which follows all earlier signals.
  func settle(_ minor: UInt16 = 999) throws {
    try fake.send("device hci0 FF_FF_FF_FF_FF_\(minor) -50 \(Payload.iBeacon(minor: minor))")
    try loop.wait { sightings.contains { $0.beacon.minor == minor } }
  }

  func restartBlueZ(_ commands: String...) throws {
    fake.kill()
    try loop.wait { source.service == .absent }
    fake = try FakeBlueZ(loop, bus)
    follow()
    for command in commands + ["own"] { try fake.send(command) }
    try loop.wait { fake.isIdle && source.service == .running }
  }

  /// Returns the calls of a method that the fake bluetoothd received, with their adapter and arguments.
  func calls(_ method: String) -> [String] { fake.calls.filter { $0.hasPrefix(method + " ") } }
}

/// Apple's manufacturer data in hexadecimal, after Apple's Proximity Beacon Specification.
enum Payload {
  static let uuid = "e2c56db5dffb48d2b060d0f5a71096e0"

  /// Returns an iBeacon with major 1 and measured power −59 dBm.
  static func iBeacon(minor: UInt16) -> String {
    let digits = String(minor, radix: 16)
    return "0215\(uuid)0001\(String(repeating: "0", count: 4 - digits.count))\(digits)c5"
  }

  static let nearbyInfo = "10050b1c6f0e12"
  static let shortIBeacon = "0215\(uuid)00010001"
}
