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
  public struct Nearness: Hashable, Sendable {
    /// The distance in metres below which a beacon is inside.
    public let within: Double
    /// The distance in metres above which a beacon is outside, at least `within`. Between the two, nothing changes.
    public let leaveBeyond: Double
    /// For how long either condition must hold.
    /// On the gallery walks, two seconds reduce false enters from 0.5 to 0.1 a minute and cost 0.4 s.
    public let hold: Span

    let entry: Distance
    let leaving: Distance

    public static let defaultHold = Span.seconds(2)

    public init(within: Double, leaveBeyond: Double? = nil, hold: Span = defaultHold) {
      self.within = within
      self.leaveBeyond = leaveBeyond ?? 1.5 * within
      self.hold = hold
      entry = Distance(metres: within)
      leaving = Distance(metres: self.leaveBeyond)
    }
  }
}
