import BeaconAdvertising
import Beacons
import BlueZ
import DBus
import EventLoop
import Instants
import TestSupport

/// A private bus, a fake bluetoothd that runs the test's commands, and an advertiser that uses it.
final class AdvertiserScene {
  let bus: PrivateBus
  let loop: Loop
  let advertiser: BlueZAdvertiser
  private(set) var fake: FakeBlueZ
  /// The reported states, in order.
  private(set) var states: [AdvertisingStatus.State] = []

  /// Returns a transmission with major 1.
  static func transmission(minor: UInt16 = 7, adapter: String? = nil, transmitPower: Int8? = nil) throws -> BeaconTransmission {
    let uuid = try BeaconUUID("e2c56db5-dffb-48d2-b060-d0f5a71096e0")
    let beacon = BeaconPayload(identity: BeaconIdentity(uuid: uuid, major: 1, minor: minor), measuredPower: -59)
    return BeaconTransmission(beacon, adapter: adapter.flatMap { BluetoothAddress($0) }, transmitPower: transmitPower)
  }

  /// Returns the status of an adapter without extended advertising.
  static func sent(
    by address: BluetoothAddress, every intervals: ClosedRange<Span> = .milliseconds(100) ... .milliseconds(150), notes: [String] = []
  ) -> AdvertisingStatus.State {
    .advertising(AdvertisingStatus.Sender(address: address, intervals: intervals, notes: notes))
  }

  init(_ commands: String...) throws {
    bus = try PrivateBus()
    loop = try Loop()
    advertiser = try BlueZAdvertiser(loop, bus: .explicit(bus.address), isAnyAdapterPlugged: { true })
    fake = try FakeBlueZ(loop, bus)
    follow()
    for command in commands + ["own"] { try fake.send(command) }
    try loop.wait { fake.isIdle }
  }

  private func follow() {
    fake.onOutput = { [unowned self] in loop.stop() }
    advertiser.onChange = { [unowned self] in
      states.append($0.state)
      loop.stop()
    }
  }

  /// Waits until the first beacon, or the one at `index`, is in this state.
  func wait(for state: AdvertisingStatus.State, of index: Int = 0) throws {
    try loop.wait { advertiser.statuses[index].state == state }
  }

  func command(_ command: String) throws {
    try fake.send(command)
    try loop.wait { fake.isIdle }
  }

  func killBlueZ() throws {
    fake.kill()
    try wait(for: .waiting(.noService))
  }

  func restartBlueZ(_ commands: String...) throws {
    fake = try FakeBlueZ(loop, bus)
    follow()
    for command in commands + ["own"] { try fake.send(command) }
    try loop.wait { fake.isIdle }
  }
}
