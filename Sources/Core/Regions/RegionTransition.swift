import Instants

/// A change of a region's state, and why.
public struct RegionTransition: Hashable, Sendable {
  /// What a listener is told.
  public enum Kind: String, Sendable {
    case enter
    case exit
    /// Whoever entered has stayed for the region's dwell; the state is what it was.
    case dwell
    /// Somebody passed through a small circle between two fixes; the state is what it was.
    case cross
    /// A change that is no crossing, or a crossing that the region mutes.
    case state
  }

  /// The one thing that made the change.
  public enum Cause: String, Sendable {
    /// The first sighting of a beacon that satisfies the region.
    case sighting
    /// A beacon came and stayed within the region's distance, or the device within the circle.
    case approach
    /// Every beacon heard stayed beyond the region's leaving distance, or the device outside the circle.
    case departure
    /// Nothing satisfied the region for its exit delay.
    case silence
    /// The region was still satisfied when its dwell was over.
    case stay
    /// A fix agrees with what the circle was before nobody knew, or is the first and says that it is outside.
    case fix
    /// Two fixes lie on either side of the circle.
    case passage
    /// There is no fix any more that is fine and new enough for the circle.
    case locationLost
    /// None of the receivers that heard the region can hear.
    case receiverLost
    /// Nobody watched for so long that a visit of then is over.
    case outage
  }

  public let region: Region
  public let kind: Kind
  public let state: RegionState
  /// When it became true: the sighting's time, or the deadline that passed.
  public let time: Instant
  public let cause: Cause
  /// The silence that is an exit at that time; nil for a circle.
  public let exitDelay: Span?
  /// The beacon that decided, nil when none has ever satisfied the region.
  public let evidence: BeaconEvidence?
  /// The last fix, nil when there was none, or it tells nothing any more.
  public let fix: Fix?
}

extension RegionTransition {
  /// - Parameter evidence: the sighting that decided; the last one that satisfied the region when it was none.
  init(_ watch: BeaconWatch, _ change: RegionChange, evidence: BeaconEvidence? = nil) {
    region = .beacon(watch.region)
    kind = change.kind
    state = watch.state
    time = change.time
    cause = change.cause
    exitDelay = watch.exitDelay
    self.evidence = evidence ?? watch.lastSatisfied
    fix = nil
  }

  init(_ watch: CircleWatch, _ change: RegionChange, _ fix: Fix?) {
    region = .circle(watch.region)
    kind = change.kind
    state = watch.state
    time = change.time
    cause = change.cause
    exitDelay = nil
    evidence = nil
    self.fix = fix
  }
}

/// What a step of a region's state machine brought.
struct RegionChange {
  let kind: RegionTransition.Kind
  let time: Instant
  let cause: RegionTransition.Cause
}
