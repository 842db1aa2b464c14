import SimulatedWalks

/// Counts the faults of guidance on simulated walks, of each kind of visitor in two kinds of building.
struct WalkPass {
  /// The visitors, by a name of their behaviour.
  private static let visitors: [(name: String, habits: SimulatedWalk.Habits)] = [
    ("walk", .init()), ("behindNodes", .init(goesBehindNodes: true)), ("wrongTurns", .init(wrongTurns: wrongTurns)),
    ("stops", .init(stops: stops)), ("wrongTurnsStops", .init(wrongTurns: wrongTurns, stops: stops)),
    ("wrongTurnsSteps", .init(wrongTurns: wrongTurns, hasSteps: true)), ("stopsSteps", .init(hasSteps: true, stops: stops)),
    ("wrongTurnsStopsSteps", .init(wrongTurns: wrongTurns, hasSteps: true, stops: stops)),
    ("noCompass", .init(hasCompass: false)), ("noCompassWrongTurns", .init(wrongTurns: wrongTurns, hasCompass: false)),
    ("noCompassStops", .init(hasCompass: false, stops: stops)),
    ("coarse", .init(hasCompass: false, sigma: coarse.sigma, accuracy: coarse.accuracy)),
    ("coarseWrongTurns", .init(wrongTurns: wrongTurns, hasCompass: false, sigma: coarse.sigma, accuracy: coarse.accuracy)),
    ("wrongLevels", .init(wrongLevels: wrongLevels)), ("wrongLevelsStops", .init(wrongLevels: wrongLevels, stops: stops)),
  ]
  /// The probability of a wrong turn at a node, of a stop in a second, and of a wrong level at a lift or stairs.
  private static let (wrongTurns, stops, wrongLevels) = (0.1, 0.03, 0.5)

  /// One sigma of the positions in an office with a beacon every 12 m, and the one that the indoor filter reports there.
  private static let coarse = (sigma: 2.7, accuracy: 4.0)

  /// Writes one object of JSON about each kind of visitor, with the buildings and seeds of the walks that have a fault.
  ///
  /// - Parameters:
  ///   - count: the walks of each kind, half of them in a regular building, and half in irregular ones. Visitors
  ///     who take wrong levels have a stairwell in the regular one.
  ///   - seed: the first seed in both.
  ///   - kinds: the names of the kinds; empty for all.
  func run(_ count: Int, seed: UInt64, kinds: [String]) {
    if let unknown = kinds.first(where: { kind in !Self.visitors.contains { $0.name == kind } }) {
      fail("\(unknown) is not a KIND; they are \(Self.visitors.map(\.name).joined(separator: ", "))", code: 64)
    }
    for (name, habits) in Self.visitors where kinds.isEmpty || kinds.contains(name) {
      let regular = habits.wrongLevels > 0 ? SimulatedWalk.stairwell : SimulatedWalk.building
      let buildings = [("regular", regular), ("irregular", SimulatedWalk.irregularBuilding)]
      var figures = WalkFigures()
      let begin = processorSeconds()
      for seed in seed..<seed + UInt64(count + 1) / 2 {
        for (building, venue) in buildings where figures.walks < count {
          do {
            figures.add(try SimulatedWalk.run(seed: seed, habits, in: venue), of: "\(building) \(seed)")
          } catch {
            fail("the walk of seed \(seed) cannot begin: \(error)", code: 70)
          }
        }
      }
      writeLine(Self.line(name, figures, seconds: processorSeconds() - begin), to: 1)
    }
  }

  private static func line(_ name: String, _ figures: WalkFigures, seconds: Double) -> String {
    func list(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }
    func names(_ walks: [String]) -> String { list(walks.map { "\"\($0)\"" }) }
    let late = figures.late.map { "[\"\($0.walk)\",\(rounded($0.metres, 1))]" }
    let early = figures.early.map { "[\"\($0.walk)\",\(rounded($0.metres, 1))]" }
    let elsewhere = figures.elsewhere.map { end in "[\"\(end.walk)\",\(end.metres.map { rounded($0, 1) } ?? "null")]" }
    let lateRoutes = figures.lateRoutes.map { delay in "[\"\(delay.walk)\",\(delay.seconds.map { rounded($0, 1) } ?? "null")]" }
    return "{\"peer\":\"beaconmon-walks\",\"kind\":\"\(name)\",\"walks\":\(figures.walks),\"arrived\":\(figures.arrived)"
      + ",\"elsewhere\":\(list(elsewhere))"
      + ",\"approaches\":\(figures.approaches),\"approachesInTime\":\(figures.approachesInTime),\"late\":\(list(late))"
      + ",\"earlyArrivals\":\(list(early))"
      + ",\"missed\":\(names(figures.missed)),\"unannounced\":\(names(figures.unannounced)),\"repeated\":\(names(figures.repetitions))"
      + ",\"falseLevels\":\(names(figures.falseLevels))"
      + ",\"needless\":\(names(figures.needless)),\"wrongTurns\":\(figures.delays.count),\"lateRoutes\":\(list(lateRoutes))"
      + ",\"longestDelay\":\(figures.longestDelay.isFinite ? rounded(figures.longestDelay, 1) : "null")"
      + ",\"ms_per_walk\":\(rounded(seconds * 1000 / Double(max(1, figures.walks)), 2))}"
  }
}
