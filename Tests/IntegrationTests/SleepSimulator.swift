import Foundation
import TestSupport

/// A satellite receiver that the test moves, and the clocks of its daemon.
final class SleepSimulator {
  let receiver = Receiver()
  let clocks: TestClocks
  /// A client that sees the daemon's state.
  let client: BusClient

  init(_ client: BusClient) throws {
    self.client = client
    clocks = try TestClocks()
  }

  /// The time of the daemon's wall clock, in microseconds since the Unix epoch.
  var now: Double { (Date().timeIntervalSince1970 + clocks.ahead) * 1e6 }

  /// Advances the time in steps so short that pinged clients answer in between.
  func pass(_ seconds: Double) throws {
    var left = seconds
    while left > 0 {
      let step = min(4, left)
      clocks.pass(seconds: step)
      receiver.ahead += step
      left -= step
      // The first ping may be answered before due timers have fired.
      for _ in 0..<2 { try client.ping() }
    }
  }

  /// Moves the receiver to a position, a second later.
  func stand(_ latitude: Double, _ longitude: Double, hdop: Double = 1, knots: Double = 0) throws {
    try pass(1)
    try receiver.say(latitude, longitude, hdop: hdop, knots: knots, until: client)
  }

  /// Simulates a sleep of the machine.
  func sleep(_ seconds: Double) {
    clocks.sleep(seconds: seconds)
    receiver.ahead += seconds
  }
}
