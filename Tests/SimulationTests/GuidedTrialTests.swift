import IndoorPositioning
import Instants
import Testing
import Venues
import Wayfinding

@testable import Simulation

/// Guidance by the positions of the room filter, whose errors are larger and last longer than those of `SimulatedWalk`.
@Suite struct GuidedTrialTests {
  /// A visitor who leaves the corridor, with the seconds at which they do.
  struct Departure: Sendable {
    var stops: [GuidedTrial.Stop]
    var seconds: Double
  }

  /// Into the room behind the first door, into the one behind the second door, and back along the corridor.
  private static let departures = [
    Departure(stops: [(9, 18, 20), (15, 18, 0), (15, 3, 60)], seconds: 25),
    Departure(stops: [(9, 18, 20), (45, 18, 0), (45, 33, 60)], seconds: 50),
    Departure(stops: [(30, 18, 20), (3, 18, 60)], seconds: 20),
  ]
  /// The sigmas from the route from which positions show a departure.
  private static let sigmas = 2.2

  /// Returns the metres from the route of a visitor in the corridor.
  private static func distance(_ point: PlanPoint, from start: Double) -> Double {
    PlanSegment(from: PlanPoint(x: start, y: 18), to: PlanPoint(x: 57, y: 18)).distance(to: point)
  }

  @Test(arguments: departures.indices) func `a visitor who leaves the route gets another one within 13 s of positions that show it`(
    number: Int
  ) throws {
    let departure = Self.departures[number]
    for seed in UInt64(1)...3 {
      let trial = try GuidedTrial(departure.stops, seed: seed)
      let shown = trial.positions.first {
        $0.seconds > departure.seconds
          && Self.distance($0.position.place.point, from: departure.stops[0].x) > Self.sigmas * $0.position.accuracy
      }
      let first = try #require(shown)
      let route = try #require(trial.routes.first, "seed \(seed)")
      #expect(route > departure.seconds && route - first.seconds <= 13, "seed \(seed): \(route) s, shown after \(first.seconds) s")
    }
  }

  @Test func `a visitor who follows the route, and stands on it for minutes, gets no other one`() throws {
    for seed in UInt64(1)...3 {
      let trial = try GuidedTrial([(9, 18, 60), (30, 18, 60), (54, 18, 20)], seed: seed)
      #expect(trial.routes.isEmpty && trial.hasArrived, "seed \(seed): \(trial.routes)")
    }
  }
}
