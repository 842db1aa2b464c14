import Foundation
import TestSupport

/// A receiver of satellites that goes where the test wants, and the clocks of the daemon that it belongs to.
final class Traveller {
  let receiver = Receiver()
  let clocks: TestClocks
  /// A client that sees the daemon's state.
  let client: BusClient

  init(_ client: BusClient) throws {
    self.client = client
    clocks = try TestClocks()
  }

  /// Of the daemon's wall clock, in microseconds since the Unix epoch.
  var now: Double { (Date().timeIntervalSince1970 + clocks.ahead) * 1e6 }

  /// Time passes, in steps so short that a client which is asked whether it reads has answered meanwhile.
  func pass(_ seconds: Double) throws {
    var left = seconds
    while left > 0 {
      let step = min(4, left)
      clocks.pass(seconds: step)
      receiver.ahead += step
      left -= step
      // The first may be answered before what is due.
      for _ in 0..<2 { try client.ping() }
    }
  }

  /// A second later the receiver is there.
  func stand(_ latitude: Double, _ longitude: Double, hdop: Double = 1, knots: Double = 0) throws {
    try pass(1)
    try receiver.say(latitude, longitude, hdop: hdop, knots: knots, until: client)
  }

  /// The machine sleeps.
  func sleep(_ seconds: Double) {
    clocks.sleep(seconds: seconds)
    receiver.ahead += seconds
  }
}
