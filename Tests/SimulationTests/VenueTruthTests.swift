import BeaconAdvertising
import Instants
import Records
import Regions
import Testing
import Venues

@testable import Simulation

/// Truth that can be computed by hand.
@Suite struct VenueTruthTests {
  private func seconds(_ visit: Visit) -> [Double?] {
    [visit.approached, visit.entered, visit.lastInside, visit.left].map { time in
      time.map { (($0 - Scenario.start).seconds * 10).rounded() / 10 }
    }
  }

  /// The passer is at x = t − 110.
  ///
  /// With −59 dBm and n = 2.7 the level is −95 dBm at 10^(36/27) = 21.54 m, and −103 dBm at 10^(44/27) = 42.62 m.
  @Test func `a visit starts and ends where the level crosses the sensitivity, and its outer limit is 8 dB farther`() {
    let truth = VenueTruth(.passer(Scenario.region()), seed: 1)
    #expect(truth.visits[0].map(seconds) == [[67.4, 88.5, 131.6, 152.7]])
  }

  @Test func `a visit by distance starts within the near limit and ends beyond the leaving distance`() {
    let truth = VenueTruth(.passer(Scenario.region(nearness: .init(within: 3, leaveBeyond: 4.5))), seed: 1)
    #expect(truth.visits[0].map(seconds) == [[105.5, 107, 113.1, 114.6]])
  }

  @Test func `a visitor behind a wall is not near`() {
    var scenario = Scenario.passer(Scenario.region(nearness: .init(within: 3, leaveBeyond: 4.5)))
    scenario.walls = [VenueWall(from: PlanPoint(x: -1, y: -1), to: PlanPoint(x: -1, y: 1), attenuation: 1)]
    // The path crosses the wall at 109 s, and is inside it for that moment.
    #expect(VenueTruth(scenario, seed: 1).visits[0].map(seconds) == [[109.1, 109.1, 113.1, 114.6]])
  }

  @Test func `an empty battery ends a visit at once`() {
    var scenario = Scenario.still(metres: 2, duration: .seconds(100))
    scenario.beacons[0].batteryDeath = .milliseconds(33_333)
    #expect(VenueTruth(scenario, seed: 1).visits[0].map { [$0.entered, $0.lastInside, $0.left] } == [[.at(0), .at(33.333), .at(33.333)]])
  }

  @Test func `a visit that is open at the end of the scenario has no exit`() {
    let truth = VenueTruth(.still(metres: 2, duration: .seconds(100)), seed: 1)
    #expect(truth.visits == [[Visit(approached: .at(0), entered: .at(0), lastInside: .at(100), left: nil)]])
  }

  @Test func `a region of several beacons ends with the last of them`() {
    var scenario = Scenario.still(metres: 2, duration: .seconds(100))
    scenario.beacons[0].batteryDeath = .seconds(20)
    scenario.beacons.append(
      SimulatedBeacon(identity: Scenario.identity(2), position: .fixed(PlanPoint(x: 1, y: 1)), batteryDeath: .seconds(70)))
    #expect(VenueTruth(scenario, seed: 1).visits[0].map(\.left) == [.at(70)])
  }

  @Test func `a carried receiver and a carried beacon give the same visits`() {
    var scenario = Scenario.passer(Scenario.region())
    (scenario.beacons[0].position, scenario.receivers[0].position) = (scenario.receivers[0].position, .carried(by: 0))
    #expect(VenueTruth(scenario, seed: 1).visits == VenueTruth(.passer(Scenario.region()), seed: 1).visits)
  }

  @Test func `faults, fading and loss do not change the truth`() {
    var scenario = Scenario.passer(Scenario.region())
    scenario.radio.loss = BurstLoss(loss: 0.9, burst: .seconds(60))
    scenario.radio.fading = .usual
    scenario.faults = [Fault(.outage(adapter: 0, noticedAfter: .zero), at: .zero, lasts: .seconds(300))]
    #expect(VenueTruth(scenario, seed: 1).visits == VenueTruth(.passer(Scenario.region()), seed: 1).visits)
  }

  @Test func `a visit is one record, and an open one has no end`() {
    let records = VenueTruth(.still(metres: 2, duration: .seconds(100)), seed: 1).records
    #expect(
      records.map(\.json) == [
        #"{"region":"hall","approached":"2026-01-05T00:00:00.000000Z","entered":"2026-01-05T00:00:00.000000Z","lastInside":"2026-01-05T00:01:40.000000Z"}"#
      ])
  }
}
