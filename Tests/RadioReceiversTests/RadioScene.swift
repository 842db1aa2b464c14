import BeaconAdvertising
import DBus
import EventLoop
import HCI
import RadioHealth
import Ranging
import TestSupport

@testable import RadioReceivers

/// A private bus with an optional fake bluetoothd, a fake kernel, and a source that uses both.
final class RadioScene {
  static let first = "00:00:00:00:00:01"
  static let second = "00:00:00:00:00:02"

  let bus: PrivateBus
  let loop: Loop
  let kernel: FakeKernel
  let source: RadioSource
  private(set) var fake: FakeBlueZ?
  private(set) var sightings: [Sighting] = []
  /// The trouble of all adapters and the state of each, at each change.
  private(set) var reported: [(trouble: String?, states: [AdapterHealth.State])] = []

  init(_ backend: RadioBackend, isAllowed: Bool = true, adapters: [AdapterSettings] = []) throws {
    bus = try PrivateBus()
    loop = try Loop()
    kernel = FakeKernel(loop)
    kernel.isAllowed = isAllowed
    source = try RadioSource(loop, backend, adapters: adapters, bus: .explicit(bus.address), environment: [:], port: kernel.port)
    source.demand = .strength
    source.onSightings = { [unowned self] in
      sightings += $0
      loop.stop()
    }
    source.onChange = { [unowned self] in
      reported.append((source.trouble, source.adapters.map(\.state)))
      loop.stop()
    }
  }

  /// Starts a bluetoothd, runs commands in it, and waits until the bus has informed the source.
  ///
  /// Until then, the source correctly reports that no bluetoothd runs.
  func startBlueZ(_ commands: String...) throws {
    let fake = try FakeBlueZ(loop, bus)
    self.fake = fake
    fake.onOutput = { [unowned self] in loop.stop() }
    for command in commands + ["own"] { try fake.send(command) }
    try loop.wait { fake.isIdle && source.isBluetoothdRunning }
  }

  func killBlueZ() {
    fake?.kill()
    fake = nil
  }

  /// Returns when the fake bluetoothd has run the command.
  func command(_ command: String) throws {
    try fake?.send(command)
    try loop.wait { fake?.isIdle ?? true }
  }

  func state(_ address: String = first) -> AdapterHealth.State? { health(address)?.state }

  func health(_ address: String = first) -> AdapterHealth? { source.adapters.first { "\($0.address)" == address } }

  /// Returns the calls of a method that bluetoothd received, with their arguments.
  func calls(_ method: String) -> [String] { fake?.calls.filter { $0.hasPrefix(method) } ?? [] }
}
