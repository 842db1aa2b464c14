import BeaconAdvertising
import Beacons
import Instants
import Regions
import Venues

@testable import Simulation

/// Venues that several suites use.
extension Scenario {
  static let uuid = BeaconUUID(high: 0x7B1F_63E2_0A5C_4D7E, low: 0x9C4F_52A1_D0C3_B001)

  static func identity(_ minor: UInt16 = 1) -> BeaconIdentity { BeaconIdentity(uuid: uuid, major: 1, minor: minor) }

  static func region(_ name: String = "hall", exitDelay: Span = .seconds(30), nearness: BeaconRegion.Nearness? = nil) -> BeaconRegion {
    BeaconRegion(
      identifier: name, constraint: BeaconConstraint(uuid: uuid), exitDelay: exitDelay, learnsExitDelay: false, nearness: nearness)
  }

  /// Returns a venue with one beacon at a fixed distance from one receiver.
  static func still(
    metres: Double, radio: RadioModel = .clear, interval: Span = .seconds(1), duration: Span, loss: BurstLoss? = nil
  ) -> Scenario {
    Scenario(
      name: "still", duration: duration, radio: radio,
      beacons: [
        SimulatedBeacon(identity: identity(), position: .fixed(PlanPoint(x: metres, y: 0)), interval: interval, loss: loss)
      ], receivers: [Receiver(position: .fixed(PlanPoint(x: 0, y: 0)))], regions: [.beacon(region())])
  }

  /// Returns a venue in which a visitor carries a beacon past the receiver.
  ///
  /// The visitor walks from 100 m away to 100 m on the other side, at 1 m/s from the tenth second on.
  static func passer(_ region: BeaconRegion) -> Scenario {
    var scenario = still(metres: 0, interval: .milliseconds(200), duration: .seconds(400))
    scenario.visitors = [
      VisitorPath([.init(at: .seconds(10), place: PlanPoint(x: -100, y: 0)), .init(at: .seconds(210), place: PlanPoint(x: 100, y: 0))])
    ]
    scenario.beacons[0].position = .carried(by: 0)
    scenario.regions = [.beacon(region)]
    return scenario
  }
}

extension RadioModel {
  /// A radio whose level depends on the distance only.
  static let clear = RadioModel(shadowing: 0, fading: RicianFading(factor: 1000))
}

extension Instant {
  static func at(_ seconds: Double) -> Instant { Scenario.start + .seconds(seconds) }
}

extension Simulator {
  /// Returns all advertisements until the end.
  mutating func all() -> [HeardAdvertisement] {
    var all: [HeardAdvertisement] = []
    while let step = next() {
      if case .heard(let heard, _) = step { all += heard }
    }
    return all
  }
}
