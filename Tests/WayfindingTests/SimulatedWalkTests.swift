import Foundation
import Instants
import Seeds
import SimulatedWalks
import Testing
import Venues

@testable import Wayfinding

/// Walkers who know nothing but the announcements of a guide.
@Suite struct SimulatedWalkTests {
  /// The walks of each kind; BEACONMON_SOAK takes 1,000.
  private static var walks: UInt64 { ProcessInfo.processInfo.environment["BEACONMON_SOAK"] == nil ? 30 : 1000 }

  /// Buildings with the seeds of their walks.
  ///
  /// The constants of the guide were chosen on seeds from 20,000,001 and 30,000,001 on.
  enum Buildings {
    case regular, irregular, others, stairwell

    /// The buildings without the one for wrong levels.
    static let usual: [Buildings] = [.regular, .irregular, .others]

    var seeds: ClosedRange<UInt64> {
      switch self {
      case .regular: 1...SimulatedWalkTests.walks
      case .irregular: 7_000_001...7_000_000 + SimulatedWalkTests.walks
      case .others: 8_000_001...8_000_000 + SimulatedWalkTests.walks
      case .stairwell: 10_000_001...10_000_000 + SimulatedWalkTests.walks
      }
    }

    func venue(_ random: inout SeededGenerator) -> Venue {
      switch self {
      case .regular: SimulatedWalk.building(&random)
      case .irregular, .others: SimulatedWalk.irregularBuilding(&random)
      case .stairwell: SimulatedWalk.stairwell(&random)
      }
    }
  }

  private struct Walks {
    let results: [(seed: UInt64, result: SimulatedWalk.Result)]
    private(set) var figures = WalkFigures()

    init(_ buildings: Buildings, _ habits: SimulatedWalk.Habits = SimulatedWalk.Habits()) throws {
      results = try buildings.seeds.map { ($0, try SimulatedWalk.run(seed: $0, habits, in: buildings.venue)) }
      for (seed, result) in results { figures.add(result, of: "seed \(seed)") }
    }

    var delays: [Double?] { figures.delays.map(\.seconds) }
    var late: [(walk: String, metres: Double)] { figures.late }

    func describe(_ name: String) {
      let known = delays.compactMap(\.self)
      print(
        "\(name): \(figures.walks) walks, \(figures.approaches) approaches, \(figures.inTime) in time, \(figures.nearest) to "
          + "\(figures.farthest) m, \(late.count) late, \(figures.unannounced.count) unannounced, \(figures.missed.count) missed, "
          + "\(figures.needless.count) with needless routes; \(delays.count) wrong turns, \(known.count { $0 <= 10 }) led on within 10 s, "
          + "the last one after \(known.max() ?? .nan) s")
    }
  }

  @Test(arguments: Buildings.usual)
  func `a walker who follows the instructions arrives, hears each one once and in time, and never gets another route`(
    in buildings: Buildings
  ) throws {
    let walks = try Walks(buildings)
    walks.describe("\(buildings)")
    for (seed, result) in walks.results {
      #expect(result.hasArrived && result.missedBy < 8, "seed \(seed)")
      #expect(result.repetitions == 0, "seed \(seed)")
      #expect(result.missed == 0 && result.unannounced == 0, "seed \(seed)")
      #expect(result.needless == 0 && result.reroutings == result.delays.count, "seed \(seed)")
    }
    #expect(walks.late.isEmpty && walks.figures.early.isEmpty, "\(walks.late) \(walks.figures.early)")
    #expect(walks.figures.inTime >= 0.95)
    // A direction in words is coarse: a few walkers misunderstand the first one.
    #expect(Double(walks.delays.count) <= 0.02 * Double(walks.results.count) + 1, "\(walks.delays.count)")
  }

  /// Seeds of walks on which instructions came late before the direction of the visitor counted.
  ///
  /// One has a lift with stairs right behind it, and on one the noise of a stop at a lift caused another route. On two, the next
  /// instruction came before the visitor had turned at the end of stairs.
  @Test(arguments: [7_000_239, 7_000_619, 7_000_863, 7_000_869, 8_000_213, 8_001_110, 8_001_921, 20_000_882, 40_007_161])
  func `errors that last do not hold a walker on the piece before a corner, or at a lift`(seed: UInt64) throws {
    let result = try SimulatedWalk.run(seed: seed, in: SimulatedWalk.irregularBuilding)
    #expect(result.hasArrived && result.missed == 0 && result.unannounced == 0 && result.needless == 0)
    #expect(result.leads.filter(\.isOnRoute).allSatisfy { $0.metres >= ($0.isApproach ? 0 : -0.3) }, "\(result.leads)")
  }

  @Test(arguments: Buildings.usual) func `a wrong turn leads to another route within 10 s, and to the destination`(
    in buildings: Buildings
  ) throws {
    let walks = try Walks(buildings, SimulatedWalk.Habits(wrongTurns: 0.1))
    walks.describe("\(buildings) with wrong turns")
    for (seed, result) in walks.results {
      #expect(result.hasArrived, "seed \(seed)")
      #expect(result.reroutings == result.delays.count, "seed \(seed)")
    }
    let known = walks.delays.compactMap(\.self)
    #expect(known.count >= walks.results.count / 5 && known.count == walks.delays.count)
    // Errors that drift against the walker hide a few wrong turns of 1,000 for a second more.
    #expect(Double(known.count { $0 <= 10 }) >= 0.997 * Double(known.count) && known.allSatisfy { $0 <= 11 }, "\(known.max() ?? .nan)")
    #expect(walks.late.isEmpty, "\(walks.late)")
  }

  @Test(arguments: Buildings.usual) func `the arrival is announced with the last turn or after it, and a walker arrives`(
    in buildings: Buildings
  ) throws {
    let walks = try Walks(buildings, SimulatedWalk.Habits(goesBehindNodes: true))
    walks.describe("\(buildings) with destinations behind nodes")
    for (seed, result) in walks.results {
      #expect(result.hasArrived && result.missedBy < 8, "seed \(seed)")
      #expect(result.missed == 0 && result.unannounced == 0 && result.repetitions == 0 && result.needless == 0, "seed \(seed)")
    }
    #expect(walks.figures.early.isEmpty && walks.late.isEmpty, "\(walks.figures.early) \(walks.late)")
    #expect(walks.figures.inTime >= 0.95)
  }

  @Test func `a walker without a compass arrives, and hears each instruction in time`() throws {
    let walks = try Walks(.irregular, SimulatedWalk.Habits(hasCompass: false))
    walks.describe("without a compass")
    for (seed, result) in walks.results { #expect(result.hasArrived && result.repetitions == 0, "seed \(seed)") }
    // The first direction is unknown, so every second walker sets off the wrong way, and the course shows it.
    #expect(walks.delays.allSatisfy { $0.map { $0 <= 12 } ?? false })
    #expect(
      walks.figures.inTime >= 0.95 && Double(walks.late.count) <= 0.002 * Double(walks.results.reduce(0) { $0 + $1.result.leads.count }),
      "\(walks.late)")
    #expect(Double(walks.figures.needless.count) <= 0.02 * Double(walks.results.count))
  }

  @Test(arguments: Buildings.usual) func `a walker who often stands and looks around arrives, and is not led another way`(
    in buildings: Buildings
  ) throws {
    let walks = try Walks(buildings, SimulatedWalk.Habits(stops: 0.03))
    walks.describe("\(buildings) with stops")
    for (seed, result) in walks.results { #expect(result.hasArrived, "seed \(seed)") }
    // An average walk has three stops. Positions that drift in the direction of the walker for long enough look like a walk.
    #expect(walks.figures.needless.count <= walks.results.count / 200 + 1)
    #expect(walks.figures.inTime >= 0.95)
    #expect(walks.figures.missed.isEmpty && walks.late.count <= walks.results.count / 1000 + 1, "\(walks.figures.missed) \(walks.late)")
  }

  /// Seeds of walks on which the progress ran ahead of a visitor who stood on stairs and looked back.
  @Test(arguments: [31_000_716, 31_000_978, 31_001_241, 31_001_801])
  func `a visitor who stands on stairs and looks back hears each instruction`(seed: UInt64) throws {
    let result = try SimulatedWalk.run(seed: seed, SimulatedWalk.Habits(stops: 0.03))
    #expect(result.hasArrived && result.missed == 0 && result.unannounced == 0)
    #expect(result.leads.filter(\.isOnRoute).allSatisfy { $0.metres >= ($0.isApproach ? 0 : -0.3) }, "\(result.leads)")
  }

  @Test(arguments: Buildings.usual) func `a device that counts steps finds every wrong turn in time, and tells a stop from a walk`(
    in buildings: Buildings
  ) throws {
    let wrong = try Walks(buildings, SimulatedWalk.Habits(wrongTurns: 0.1, hasSteps: true))
    wrong.describe("\(buildings) with wrong turns and steps")
    #expect(!wrong.delays.isEmpty && wrong.delays.allSatisfy { $0.map { $0 <= 10 } ?? false }, "\(wrong.delays)")
    let stops = try Walks(buildings, SimulatedWalk.Habits(hasSteps: true, stops: 0.03))
    stops.describe("\(buildings) with stops and steps")
    #expect(stops.figures.needless.count <= stops.results.count / 500)
    for (seed, result) in wrong.results + stops.results { #expect(result.hasArrived, "seed \(seed)") }
  }

  @Test func `a walker who stands where a wrong turn led them is led on after 10 s of walking`() throws {
    let walks = try Walks(.irregular, SimulatedWalk.Habits(wrongTurns: 0.1, stops: 0.03))
    walks.describe("with wrong turns and stops")
    for (seed, result) in walks.results { #expect(result.hasArrived, "seed \(seed)") }
    let known = walks.delays.compactMap(\.self)
    #expect(known.count >= walks.results.count / 5 && known.count == walks.delays.count)
    #expect(Double(known.count { $0 <= 10 }) >= 0.95 * Double(known.count), "\(known.max() ?? .nan)")
  }

  @Test(arguments: [Buildings.stairwell, .irregular])
  func `a walker who leaves the lift at a wrong stop, or climbs on past the level, is led on in time, and never sees another level`(
    in buildings: Buildings
  ) throws {
    let walks = try Walks(buildings, SimulatedWalk.Habits(wrongLevels: 0.5))
    walks.describe("\(buildings) with wrong levels")
    for (seed, result) in walks.results {
      #expect(result.hasArrived && result.falseLevels == 0, "seed \(seed)")
      #expect(result.needless == 0, "seed \(seed)")
    }
    let known = walks.delays.compactMap(\.self)
    #expect(known.count >= walks.results.count / 20 && known.count == walks.delays.count)
    // A visitor who stands in front of the lift may still be in it.
    #expect(known.allSatisfy { $0 <= 18 }, "\(known)")
  }

  @Test func `the time to leave is within 10 % of the walk, at a pace that guidance has measured on earlier walks`() throws {
    var ratios: [Double] = []
    let visitors = UInt64(Self.walks == 1000 ? 400 : 8)
    for visitor in 0..<visitors {
      let speed = 0.9 + 0.1 * Double(visitor % 8)
      var pace = WalkingPace(speed: RouteProfile.shortest.speed)
      for walk in UInt64(0)..<6 {
        let habits = SimulatedWalk.Habits(speed: speed, knownSpeed: pace.speed)
        let result = try SimulatedWalk.run(seed: 9_000_000 + visitor * 100 + walk, habits, in: SimulatedWalk.irregularBuilding)
        // Guidance ends a few metres before the place.
        if walk >= 4, result.delays.isEmpty { ratios.append(result.estimated / (result.seconds + result.rest)) }
        for measured in result.paces { pace.take(measured, accuracy: nil) }
      }
      #expect(abs(pace.speed / speed - 1) <= 0.12, "\(pace.speed) for \(speed) m/s")
    }
    print("time to leave: \(ratios.min() ?? .nan) to \(ratios.max() ?? .nan) of \(ratios.count) walks")
    // Positions a second old and the time to find the way make a few short walks longer.
    let exact = Double(ratios.count { abs($0 - 1) <= 0.1 })
    #expect(ratios.count >= 12 && exact >= (visitors == 8 ? 0.9 : 0.99) * Double(ratios.count), "\(ratios.sorted())")
    #expect(ratios.allSatisfy { abs($0 - 1) <= 0.25 }, "\(ratios.sorted())")
  }
}
