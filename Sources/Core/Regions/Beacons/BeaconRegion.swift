import Beacons
import Events
import Instants
import Ranging

/// A named place that beacons mark.
public struct BeaconRegion: Hashable, Sendable {
  public let identifier: String
  public let constraint: BeaconConstraint
  /// The silence that counts as an exit; longer if the region learns.
  public let exitDelay: Span
  private let conditions: BoxedOptional<Conditions>
  /// Whether gaps between sightings of present beacons make the exit delay longer; see `RegionHistory`.
  public let learnsExitDelay: Bool
  /// The state before any sighting.
  public let assumed: RegionState
  public let notifyOnEntry: Bool
  public let notifyOnExit: Bool
  public let owner: RegionOwner

  public static let defaultExitDelay = Span.seconds(30)

  /// Creates a region.
  ///
  /// - Parameters:
  ///   - nearness: `nil` if a sighting at any distance counts.
  ///   - minimumRSSI: filtered, in dBm; a beacon with a weaker RSSI, or without one, does not count. `nil` if all beacons count.
  ///   - entry: `nil` if the first sighting that counts enters the region.
  ///   - dwell: the length of a stay after which the region sends a dwell event; `nil` for none.
  public init(
    identifier: String, owner: RegionOwner = .config, constraint: BeaconConstraint, exitDelay: Span = defaultExitDelay,
    learnsExitDelay: Bool = true,
    nearness: Nearness? = nil, minimumRSSI: Double? = nil, entry: Entry? = nil, dwell: Span? = nil, assumed: RegionState = .unknown,
    notifyOnEntry: Bool = true, notifyOnExit: Bool = true
  ) {
    self.identifier = identifier
    self.owner = owner
    self.constraint = constraint
    self.exitDelay = exitDelay
    self.learnsExitDelay = learnsExitDelay
    self.assumed = assumed
    self.notifyOnEntry = notifyOnEntry
    self.notifyOnExit = notifyOnExit
    let conditions = Conditions(nearness: nearness, minimumRSSI: minimumRSSI, entry: entry, dwell: dwell)
    self.conditions = BoxedOptional(conditions == Conditions() ? nil : conditions)
  }

  public var nearness: Nearness? { conditions.value?.nearness }
  public var minimumRSSI: Double? { conditions.value?.minimumRSSI }
  public var entry: Entry? { conditions.value?.entry }
  public var dwell: Span? { conditions.value?.dwell }

  /// Whether every sighting counts and the region sends no dwell event.
  var isPlain: Bool { conditions.isEmpty }
}

extension BeaconRegion {
  /// The properties that only a few of many regions have.
  private struct Conditions: Hashable, Sendable {
    var nearness: Nearness?
    var minimumRSSI: Double?
    var entry: Entry?
    var dwell: Span?
  }

  /// The number of sightings that enter the region, and the time within which they must occur.
  /// A single sighting may be a stray.
  public struct Entry: Hashable, Sendable {
    /// The number of sightings, at least one.
    public let sightings: Int
    public let within: Span

    public static let defaultWithin = Span.seconds(10)

    public init(sightings: Int, within: Span = defaultWithin) {
      self.sightings = sightings
      self.within = within
    }
  }

  /// The distances at which a region is entered and left.
  ///
  /// Without a `hold`, a region by the Bayesian method is entered at the first sighting within the distance, once three successive
  /// sightings were heard, and left after `bayesianHold`. The prior holds back an enter: it takes the beacon for far away until the
  /// evidence outweighs it. The prior does not hold back an exit, so that needs `bayesianHold`.
  public struct Nearness: Hashable, Sendable {
    /// The distance in metres below which a beacon is inside.
    public let within: Double
    /// The distance in metres above which a beacon is outside, at least `within`. Between the two, nothing changes.
    public let leaveBeyond: Double
    /// The time for which either condition must hold; `nil` for the default of the method.
    public let hold: Span?
    /// Whether the region is entered only while its beacon is the nearest; see `NearestBeacons`.
    public let isNearestOnly: Bool

    let entry: Distance
    let leaving: Distance

    /// The time for which either condition must hold by path loss alone.
    /// On the gallery walks, two seconds reduce false enters from 0.5 to 0.1 a minute and cost 0.4 s.
    public static let defaultHold = Span.seconds(2)
    /// The time beyond the leaving distance before a Bayesian exit. Docs/decisions/0049 has the figures.
    public static let bayesianHold = Span.seconds(3)
    /// The shortest `within` in metres that the Bayesian method decides about.
    /// The posterior is 0.5 m only at -41 dBm for a beacon of -59 dBm, so that no region at touch distance would be entered.
    public static let shortestBayesian = 2.0

    public init(within: Double, leaveBeyond: Double? = nil, hold: Span? = nil, isNearestOnly: Bool = false) {
      self.within = within
      self.leaveBeyond = leaveBeyond ?? 1.5 * within
      self.hold = hold
      self.isNearestOnly = isNearestOnly
      entry = Distance(metres: within)
      leaving = Distance(metres: self.leaveBeyond)
    }

    /// Returns the method that decides about the region.
    ///
    /// - Parameter method: the method of the settings.
    public func method(_ method: DistanceMethod) -> DistanceMethod { within < Self.shortestBayesian ? .plain : method }

    /// Returns for how long the condition to enter must hold by a method; `nil` if the first sighting enters.
    func arrivalHold(_ method: DistanceMethod) -> Span? { hold ?? (method == .plain ? Self.defaultHold : nil) }

    /// Returns for how long the condition to leave must hold by a method.
    public func departureHold(_ method: DistanceMethod) -> Span { hold ?? (method == .plain ? Self.defaultHold : Self.bayesianHold) }
  }
}
