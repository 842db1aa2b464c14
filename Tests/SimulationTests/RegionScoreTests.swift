import Instants
import Testing

@testable import Simulation

/// Histories of one region, scored by hand.
///
/// Two visits last from 100 to 200 s and from 300 to 400 s. Each has a border of 10 s around it.
@Suite struct RegionScoreTests {
  private static let visits = [(100.0, 200.0), (300, 400)].map {
    Visit(approached: .at($0 - 10), entered: .at($0), lastInside: .at($1), left: .at($1 + 10))
  }

  private static func score(_ crossings: [(Crossing.Kind, Double)], visits: [Visit] = visits, from start: Double = 0) -> RegionScore {
    RegionScore(visits: visits, crossings: crossings.map { Crossing($0.0, at: .at($0.1)) }, scored: .at(start)..<(.at(500)))
  }

  @Test func `an enter in the border and its exit do not count, and a second enter there is stray`() {
    func score(_ crossings: [(Crossing.Kind, Double)]) -> [Int] {
      let score = RegionScore(
        visits: [], borderStays: [.at(10)...(.at(50))], crossings: crossings.map { Crossing($0.0, at: .at($0.1)) },
        scored: .at(0)..<(.at(500)))
      return [score.hits, score.falseExits, score.strayEvents, score.missed]
    }
    #expect(score([]) == [0, 0, 0, 0])
    #expect(score([(.enter, 12), (.exit, 80)]) == [0, 0, 0, 0])
    #expect(score([(.enter, 12), (.exit, 30), (.enter, 40), (.exit, 80)]) == [0, 0, 0, 0])
    #expect(score([(.enter, 12), (.enter, 30), (.exit, 80)]) == [0, 0, 2, 0])
    #expect(score([(.enter, 60), (.exit, 80)]) == [0, 0, 2, 0])
    #expect(score([(.exit, 30)]) == [0, 0, 1, 0])
  }

  @Test func `a short border stay just before a visit belongs to it, and an earlier one does not`() {
    func tracked(_ zones: [(Zone, Double)], end: Double = 200) -> VisitTracker {
      var tracker = VisitTracker(exitDelay: .seconds(30))
      for (zone, time) in zones { tracker.note(zone, at: .at(time)) }
      tracker.finish(at: .at(end))
      return tracker
    }
    let near = tracked([(.border, 10), (.outer, 12), (.border, 17), (.inner, 20), (.border, 90), (.outer, 100)])
    #expect(near.visits == [Visit(approached: .at(10), entered: .at(20), lastInside: .at(90), left: .at(100))])
    #expect(near.borderStays == [])
    let early = tracked([(.border, 10), (.outer, 12), (.border, 43), (.inner, 50), (.outer, 100), (.border, 110), (.outer, 120)])
    #expect(early.visits == [Visit(approached: .at(43), entered: .at(50), lastInside: .at(100), left: .at(100))])
    #expect(early.borderStays == [.at(10)...(.at(12)), .at(110)...(.at(120))])
    #expect(tracked([(.border, 10)]).borderStays == [.at(10)...(.at(200))])
  }

  struct History: CustomTestStringConvertible {
    let testDescription: String
    let crossings: [(Crossing.Kind, Double)]
    /// The counts of hits, false exits, stray events and missed visits.
    let counts: [Int]
  }

  @Test(arguments: [
    History(testDescription: "right", crossings: [(.enter, 101), (.exit, 240), (.enter, 300), (.exit, 430)], counts: [4, 0, 0, 0]),
    History(
      testDescription: "early in the border", crossings: [(.enter, 90), (.exit, 205), (.enter, 295), (.exit, 400)], counts: [4, 0, 0, 0]),
    History(testDescription: "nothing", crossings: [], counts: [0, 0, 0, 4]),
    History(
      testDescription: "flapping", crossings: [(.enter, 101), (.exit, 150), (.enter, 151), (.exit, 240)], counts: [2, 1, 1, 2]),
    History(testDescription: "too early", crossings: [(.enter, 80), (.exit, 240)], counts: [0, 0, 2, 4]),
    History(testDescription: "nobody there", crossings: [(.enter, 20), (.exit, 50)], counts: [0, 0, 2, 4]),
    History(testDescription: "after it was over", crossings: [(.enter, 220), (.exit, 250)], counts: [0, 0, 2, 4]),
    History(testDescription: "one for both", crossings: [(.enter, 101), (.exit, 430)], counts: [1, 0, 1, 3]),
    History(testDescription: "as the next one comes near", crossings: [(.enter, 101), (.exit, 299)], counts: [2, 0, 0, 2]),
    History(testDescription: "during the next one", crossings: [(.enter, 101), (.exit, 310)], counts: [1, 1, 0, 3]),
    History(testDescription: "entered twice", crossings: [(.enter, 101), (.enter, 120), (.exit, 240)], counts: [2, 0, 1, 2]),
  ])
  func `every event is a hit, a false exit or stray, and visits without one are missed`(history: History) {
    let score = Self.score(history.crossings)
    #expect([score.hits, score.falseExits, score.strayEvents, score.missed] == history.counts)
  }

  @Test func `precision and recall are shares of events and of visits`() {
    let score = Self.score([(.enter, 101), (.exit, 150), (.enter, 151), (.exit, 240)])
    #expect(score.precision == 0.5 && score.recall == 0.5)
    #expect(Self.score([]).precision == nil && Self.score([], visits: []).recall == nil)
  }

  @Test func `latency counts from the inner limit for enters and the outer limit for exits, and is never negative`() {
    let score = Self.score([(.enter, 101), (.exit, 240), (.enter, 295), (.exit, 405)])
    #expect(score.enterLatency.percentile(0.5) == .zero && score.enterLatency.largest == .seconds(1))
    #expect(score.exitLatency.percentile(0.5) == .zero && score.exitLatency.largest == .seconds(30))
  }

  @Test func `events from before the scored time are matched, and not counted`() {
    let score = Self.score([(.enter, 101), (.exit, 150), (.enter, 151), (.exit, 240), (.enter, 300), (.exit, 430)], from: 250)
    #expect(score.hits == 2 && score.falseExits == 0 && score.strayEvents == 0 && score.missed == 0)
  }

  @Test func `an exit after the end of the scenario is not a false exit`() {
    let open = [Visit(approached: .at(90), entered: .at(100), lastInside: .at(500), left: nil)]
    let score = Self.score([(.enter, 100), (.exit, 530)], visits: open)
    #expect(score.hits == 1 && score.falseExits == 0 && score.strayEvents == 0 && score.missed == 0)
    #expect(Self.score([(.enter, 100), (.exit, 499)], visits: open).falseExits == 1)
  }

  @Test func `percentiles are nearest ranks`() {
    var latencies = Latencies()
    for seconds in (1...100).reversed() { latencies.add(.seconds(Double(seconds))) }
    #expect([0.5, 0.99, 1].map { latencies.percentile($0) } == [.seconds(50), .seconds(99), .seconds(100)])
    #expect(Latencies().percentile(0.5) == nil && latencies.count == 100)
  }
}
