/// The figures of many walks, in the terms of their requirements.
public struct WalkFigures {
  public private(set) var walks = 0
  /// The walks that ended within 8 m of the destination.
  public private(set) var arrived = 0
  /// The other walks, with the metres from the destination at which the guide ended; nil if it did not end on its level.
  public private(set) var elsewhere: [(walk: String, metres: Double?)] = []
  /// The first instructions of approaches to walkers on the route, and how many of them came 12 m to 2 m before the decision.
  public private(set) var (approaches, approachesInTime) = (0, 0)
  /// The range of the metres of these instructions before the decision.
  public private(set) var (nearest, farthest) = (Double.infinity, -Double.infinity)
  /// The instructions to walkers on the route that came behind the decision, by walk and metres before it.
  public private(set) var late: [(walk: String, metres: Double)] = []
  /// The arrivals that were announced to walkers on the route before the last decision, by walk and metres to it.
  public private(set) var early: [(walk: String, metres: Double)] = []
  /// The walks with an instruction that was repeated.
  public private(set) var repetitions: [String] = []
  /// The walks with an instruction that was left out, and of those with a wrong turn that no instruction prevented.
  public private(set) var (missed, unannounced): ([String], [String]) = ([], [])
  /// The walks with another route although the walker was on the route.
  public private(set) var needless: [String] = []
  /// The walks with an output about another level than that of the last positions.
  public private(set) var falseLevels: [String] = []
  /// The seconds of walking after which a wrong turn led to another route, by walk; nil without one.
  public private(set) var delays: [(walk: String, seconds: Double?)] = []

  /// The metres before a decision at which its instruction is in time, and the seconds for a wrong turn.
  private static let (inTime, mostSeconds) = (2.0...12.0, 10.0)
  /// The metres from the destination within which a walker has arrived.
  private static let arrival = 8.0
  /// The metres behind a decision at which an instruction that follows another closely still belongs to it.
  private static let tolerance = 0.3
  /// The metres before the last decision from which the arrival may be announced: the progress has errors of this size.
  private static let beginning = 4.0

  public init() {}

  /// Counts a walk.
  ///
  /// - Parameter walk: its name among those with a fault, such as its seed.
  public mutating func add(_ result: SimulatedWalk.Result, of walk: String) {
    walks += 1
    if result.hasArrived, result.missedBy < Self.arrival {
      arrived += 1
    } else {
      elsewhere.append((walk, result.hasArrived && result.missedBy.isFinite ? result.missedBy : nil))
    }
    for lead in result.leads where lead.isOnRoute {
      if lead.isApproach {
        approaches += 1
        if Self.inTime.contains(lead.metres) { approachesInTime += 1 }
        (nearest, farthest) = (min(nearest, lead.metres), max(farthest, lead.metres))
      }
      if lead.metres < (lead.isApproach ? 0 : -Self.tolerance) { late.append((walk, lead.metres)) }
    }
    early += result.earlyArrivals.filter { $0 > Self.beginning }.map { (walk, $0) }
    if result.repetitions > 0 { repetitions.append(walk) }
    if result.missed > 0 { missed.append(walk) }
    if result.unannounced > 0 { unannounced.append(walk) }
    if result.falseLevels > 0 { falseLevels.append(walk) }
    if result.needless > 0 { needless.append(walk) }
    delays += result.delays.map { (walk, $0) }
  }

  /// The share of the approaches that are announced in time.
  public var inTime: Double { Double(approachesInTime) / Double(max(1, approaches)) }
  /// The wrong turns that led to another route after more than 10 s, or to none.
  public var lateRoutes: [(walk: String, seconds: Double?)] { delays.filter { ($0.seconds ?? .infinity) > Self.mostSeconds } }
  /// The longest time in seconds from a wrong turn to another route; infinite without one.
  public var longestDelay: Double { delays.reduce(0) { max($0, $1.seconds ?? .infinity) } }
}
