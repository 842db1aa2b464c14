import DBus
import EventLoop
import Glibc
import Instants

/// Sends the signal of the peers' D-Bus benchmarks with the product's own connection and loop.
///
/// The signal is `org.beaconmon.Monitor1.BeaconRanged` (`sqqndt`) of `/org/beaconmon/Monitor`. Its last argument is the CLOCK_MONOTONIC
/// time in nanoseconds when it was made.
final class SignalEmitter {
  private let loop: Loop
  private let connection: DBusConnection
  private let total: Int
  /// Signals per second; zero sends as many as the bus accepts.
  private let rate: Double
  private var sent = 0
  private var start = Instant(microseconds: 0)
  private lazy var tick = loop.timer { [unowned self] in attempt { () throws(DBusError) in try sendOnTime() } }

  init(address: String, total: Int, rate: Double) throws {
    loop = try Loop()
    connection = try DBusConnection(loop: loop, address: .explicit(address), persistence: .once)
    (self.total, self.rate) = (total, rate)
  }

  /// Returns when all signals are sent.
  func run() throws {
    connection.onStateChange = { [unowned self] state in
      switch state {
      case .connecting: break
      case .connected: begin()
      case .disconnected(let reason): fail(reason.message, code: EX_UNAVAILABLE)
      }
    }
    connection.onDrained = { [unowned self] in attempt { () throws(DBusError) in try sendUntilCongested() } }
    _ = try loop.run()
    connection.flush(within: .seconds(60))
  }

  private func begin() {
    start = loop.now
    attempt { () throws(DBusError) in rate > 0 ? try sendOnTime() : try sendUntilCongested() }
  }

  private func sendOnTime() throws(DBusError) {
    while sent < total {
      let due = start + .seconds(1) * (Double(sent) / rate)
      guard due <= loop.now else { return tick.arm(at: due) }
      try send()
    }
    loop.stop()
  }

  private func sendUntilCongested() throws(DBusError) {
    while sent < total {
      guard connection.outgoingSize <= DBusConnection.congestionThreshold else { return }
      try send()
    }
    loop.stop()
  }

  private func send() throws(DBusError) {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    try connection.emit(
      path: "/org/beaconmon/Monitor", interface: "org.beaconmon.Monitor1", member: "BeaconRanged",
      [
        .string("f7826da6-4fa2-4e98-8024-bc5b71e0893e"), .uint16(1), .uint16(UInt16(truncatingIfNeeded: sent)), .int16(-60), .double(1.5),
        .uint64(UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)),
      ])
    sent += 1
  }

  private func attempt(_ body: () throws(DBusError) -> Void) {
    do {
      try body()
    } catch {
      fail("\(error)", code: EX_UNAVAILABLE)
    }
  }
}
