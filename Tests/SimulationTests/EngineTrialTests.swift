import Beacons
import Instants
import Regions
import Testing
import Venues

@testable import Simulation

@Suite struct EngineTrialTests {
  private func score(_ scenario: Scenario, seed: UInt64 = 1) -> RegionScore {
    var simulator = Simulator(scenario, seed: seed, hasCrowd: false)
    var trial = EngineTrial(scenario)
    while let step = simulator.next() { trial.take(step) }
    return trial.score(against: VenueTruth(scenario, seed: seed)).total
  }

  @Test func `a clear passer is entered within an interval and left after the exit delay`() {
    let score = score(.passer(Scenario.region()))
    #expect([score.hits, score.falseExits, score.strayEvents, score.missed] == [2, 0, 0, 0])
    #expect(score.enterLatency.largest.map { $0 <= .milliseconds(310) } == true)
    // Silence begins at 131.6 s, and the outer limit is crossed at 152.7 s.
    #expect(score.exitLatency.largest.map { abs($0.seconds - (131.6 + 30 - 152.7)) < 0.4 } == true)
  }

  @Test func `a fixed exit delay fails in long bursts, and a longer one does not`() {
    var scenario = Scenario.still(metres: 4, duration: .seconds(86_400), loss: BurstLoss(loss: 0.6, burst: .seconds(12)))
    // One in e^2.5 of 4320 bursts exceeds 30 s.
    let short = score(scenario)
    #expect(abs(Double(short.falseExits) - 390) < 100)
    scenario.regions = [.beacon(Scenario.region(exitDelay: .seconds(300)))]
    #expect(score(scenario).falseExits == 0)
  }

  @Test func `a noticed outage causes no exit, and an unnoticed one does`() {
    var scenario = Scenario.still(metres: 4, duration: .seconds(1000))
    scenario.faults = [Fault(.outage(adapter: 0, noticedAfter: .seconds(5)), at: .seconds(100), lasts: .seconds(300))]
    let noticed = score(scenario)
    #expect(noticed.falseExits == 0 && noticed.strayEvents == 0 && noticed.hits == 1)
    scenario.faults = [Fault(.outage(adapter: 0, noticedAfter: .seconds(300)), at: .seconds(100), lasts: .seconds(300))]
    let unnoticed = score(scenario)
    #expect(unnoticed.falseExits == 1 && unnoticed.strayEvents == 1)
  }

  @Test func `an outage of the only adapter that hears a beacon causes no exit, although another one scans`() {
    var scenario = Scenario.still(metres: 4, duration: .seconds(1000))
    scenario.receivers.append(Receiver(position: .fixed(PlanPoint(x: 0, y: 0)), offset: -40))
    scenario.faults = [Fault(.outage(adapter: 0, noticedAfter: .seconds(5)), at: .seconds(100), lasts: .seconds(300))]
    let score = score(scenario)
    #expect(score.falseExits == 0 && score.strayEvents == 0)
  }

  @Test func `a step of the wall clock changes no event`() {
    var scenario = Scenario.still(metres: 4, duration: .seconds(1000))
    let before = score(scenario)
    scenario.faults = [Fault(.clockStep(by: .seconds(1e9)), at: .seconds(500)), Fault(.clockStep(by: .seconds(-2e9)), at: .seconds(600))]
    #expect(score(scenario) == before)
  }

  @Test func `a restarted daemon continues from its saved states, in spite of any change of the wall clock`() {
    var scenario = Scenario.still(metres: 4, duration: .seconds(1000))
    scenario.faults = [
      Fault(.restart, at: .seconds(500), lasts: .seconds(20)), Fault(.clockStep(by: .seconds(1e9)), at: .seconds(510)),
      Fault(.restart, at: .seconds(700), lasts: .seconds(20)), Fault(.clockStep(by: .seconds(-2e9)), at: .seconds(710)),
    ]
    let score = score(scenario)
    #expect([score.hits, score.falseExits, score.strayEvents, score.missed] == [1, 0, 0, 0])
  }

  @Test func `a visitor who leaves while the daemon is down has left when it returns`() {
    var scenario = Scenario.passer(Scenario.region())
    scenario.faults = [Fault(.restart, at: .seconds(120), lasts: .seconds(60))]
    let score = score(scenario)
    #expect([score.hits, score.falseExits, score.strayEvents, score.missed] == [2, 0, 0, 0])
    // The exit comes one exit delay after the restart at 180 s; the outer limit was crossed at 152.7 s.
    #expect(score.exitLatency.largest.map { abs($0.seconds - (180 + 30 - 152.7)) < 0.1 } == true)
  }

  @Test func `a learned exit delay covers the bursts that occurred`() {
    var scenario = Scenario.still(metres: 4, duration: .seconds(86_400), loss: BurstLoss(loss: 0.6, burst: .seconds(12)))
    let fixed = score(scenario)
    scenario.regions = [.beacon(BeaconRegion(identifier: "hall", constraint: BeaconConstraint(uuid: Scenario.uuid)))]
    let learned = score(scenario)
    #expect(fixed.falseExits > 100 && learned.falseExits < 20)
  }
}
