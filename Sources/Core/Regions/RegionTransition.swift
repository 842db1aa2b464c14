import Instants

/// A change of a region's state, and why.
public struct RegionTransition: Hashable, Sendable {
  /// What a listener is told.
  public enum Kind: String, Sendable {
    case enter
    case exit
    /// Whoever entered has stayed for the region's dwell; the state is what it was.
    case dwell
    /// A change that is no crossing, or a crossing that the region mutes.
    case state
  }

  /// The one thing that made the change.
  public enum Cause: String, Sendable {
    /// The first sighting of a beacon that satisfies the region.
    case sighting
    /// A beacon came and stayed within the region's distance.
    case approach
    /// Every beacon heard stayed beyond the region's leaving distance.
    case departure
    /// Nothing satisfied the region for its exit delay.
    case silence
    /// The region was still satisfied when its dwell was over.
    case stay
    /// None of the receivers that heard the region can hear.
    case receiverLost
    /// Nobody watched for so long that a visit of then is over.
    case outage
  }

  public let region: BeaconRegion
  public let kind: Kind
  public let state: RegionState
  /// When it became true: the sighting's time, or the deadline that passed.
  public let time: Instant
  public let cause: Cause
  /// The silence that is an exit at that time.
  public let exitDelay: Span
  /// The beacon that decided, nil when none has ever satisfied the region.
  public let evidence: BeaconEvidence?
}

extension RegionTransition {
  /// - Parameter evidence: the sighting that decided; the last one that satisfied the region when it was none.
  init(_ watch: RegionWatch, _ change: RegionWatch.Change, evidence: BeaconEvidence? = nil) {
    region = watch.region
    kind = change.kind
    state = watch.state
    time = change.time
    cause = change.cause
    exitDelay = watch.exitDelay
    self.evidence = evidence ?? watch.lastSatisfied
  }
}
