import Events
import Instants
import Ranging

/// A named place that beacons mark.
public struct BeaconRegion: Hashable, Sendable {
  public let identifier: String
  public let constraint: BeaconConstraint
  /// Silence for this long is an exit, or longer where the region learns.
  public let exitDelay: Span
  private let conditions: Rare<Conditions>
  /// Whether the gaps that its beacons have without being gone make its exit delay longer; see `RegionHistory`.
  public let learnsExitDelay: Bool
  /// The state before anything is known.
  public let assumed: RegionState
  public let notifyOnEntry: Bool
  public let notifyOnExit: Bool
  public let owner: RegionOwner

  public static let defaultExitDelay = Span.seconds(30)

  /// - Parameters:
  ///   - nearness: nil: being heard is enough.
  ///   - minimumRSSI: filtered, in dBm; a beacon that is heard more weakly, or without an RSSI, does not count. Nil: all do.
  ///   - entry: nil: the first sighting that counts enters.
  ///   - dwell: somebody who stays for so long is told of; nil: nobody is.
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
    self.conditions = Rare(conditions == Conditions() ? nil : conditions)
  }

  public var nearness: Nearness? { conditions.value?.nearness }
  public var minimumRSSI: Double? { conditions.value?.minimumRSSI }
  public var entry: Entry? { conditions.value?.entry }
  public var dwell: Span? { conditions.value?.dwell }

  /// Whether being heard is all it takes, and nobody waits for those who stay.
  var isPlain: Bool { conditions.isEmpty }
}

extension BeaconRegion {
  /// What few of many regions ask for.
  private struct Conditions: Hashable, Sendable {
    var nearness: Nearness?
    var minimumRSSI: Double?
    var entry: Entry?
    var dwell: Span?
  }

  /// How many sightings that count it takes to enter, and in what time: one alone may be a stray.
  public struct Entry: Hashable, Sendable {
    /// At least one.
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
    /// Metres: nearer than this is inside.
    public let within: Double
    /// Metres: farther than this is outside. At least `within`; what lies between changes nothing.
    public let leaveBeyond: Double
    /// For how long either must hold. Two seconds bring false enters from 0.5 to 0.1 a minute on the gallery walks and cost 0.4 s.
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
