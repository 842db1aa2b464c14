import Foundation
import Instants
import RealModule
import Testing
import Venues

@testable import Wayfinding

/// Guidance along a route.
@Suite struct GuidanceTests {
  /// BEACONMON_SOAK takes 1,000 walks.
  private static var walks: UInt64 { ProcessInfo.processInfo.environment["BEACONMON_SOAK"] == nil ? 100 : 1000 }

  private static func results(_ seeds: some Sequence<UInt64>, wrongTurns: Double = 0) -> [(seed: UInt64, result: SimulatedWalk.Result)] {
    seeds.compactMap { seed in SimulatedWalk.run(seed: seed, wrongTurns: wrongTurns).map { (seed, $0) } }
  }

  @Test func `a walker who follows the instructions arrives, and never gets another route`() {
    let results = Self.results(1...Self.walks)
    var leads: [Double] = []
    var misunderstandings = 0
    var durations: [Double] = []
    for (seed, result) in results {
      #expect(result.hasArrived, "seed \(seed)")
      #expect(result.missedBy < 8, "seed \(seed)")
      // A direction in words is coarse: a few walkers misunderstand the first one.
      #expect(result.reroutings == result.delays.count, "seed \(seed)")
      misunderstandings += result.delays.count
      #expect(result.repetitions == 0, "seed \(seed)")
      leads += result.leads
      if result.delays.isEmpty { durations.append(result.seconds / result.expected) }
    }
    let inTime = Double(leads.count { (2...12).contains($0) }) / Double(leads.count)
    print("\(results.count) walks, \(leads.count) approaches: \(inTime) in time, least \(leads.min() ?? .nan), most \(leads.max() ?? .nan)")
    // The time to leave is that of the route.
    let exact = Double(durations.count { abs($0 - 1) <= 0.1 }) / Double(durations.count)
    print("\(exact) of the walks take as long as expected within 10 %, \(durations.min() ?? .nan) to \(durations.max() ?? .nan)")
    #expect(exact >= 0.9)
    #expect(inTime >= 0.95)
    #expect(Double(misunderstandings) <= 0.03 * Double(results.count), "\(misunderstandings)")
    #expect((leads.min() ?? -1) >= 0)
  }

  @Test func `a wrong turn leads to another route within 10 s, and to the destination`() {
    let results = Self.results(1...Self.walks, wrongTurns: 0.1)
    let delays = results.flatMap(\.result.delays)
    for (seed, result) in results { #expect(result.hasArrived, "seed \(seed)") }
    let known = delays.compactMap(\.self)
    print("within 10 s: \(known.count { $0 <= 10 })")
    print("\(delays.count) wrong turns: another route after \(known.max() ?? .nan) s at most, \(delays.count { $0 == nil }) without")
    #expect(known.count > 15)
    #expect(Double(known.count { $0 <= 10 }) / Double(max(1, delays.count)) >= 0.95)
  }
}
