import Instants
import Ranging

/// A named place that beacons mark.
public struct BeaconRegion: Hashable, Sendable {
  public let identifier: String
  public let constraint: BeaconConstraint
  /// Silence for this long is an exit.
  public let exitDelay: Span
  /// Nil: being heard is enough.
  public let nearness: Nearness?
  public let notifyOnEntry: Bool
  public let notifyOnExit: Bool

  public static let defaultExitDelay = Span.seconds(30)

  public init(
    identifier: String, constraint: BeaconConstraint, exitDelay: Span = defaultExitDelay, nearness: Nearness? = nil,
    notifyOnEntry: Bool = true, notifyOnExit: Bool = true
  ) {
    self.identifier = identifier
    self.constraint = constraint
    self.exitDelay = exitDelay
    self.nearness = nearness
    self.notifyOnEntry = notifyOnEntry
    self.notifyOnExit = notifyOnExit
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
