import Events
import Instants

/// A change of a region's state, and why.
public struct RegionTransition: Hashable, Sendable {
  public let region: Region
  public let kind: Event.Kind
  public let state: RegionState
  /// When it became true: the sighting's time, or the deadline that passed.
  public let time: Instant
  public let cause: Event.Cause
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
  let kind: Event.Kind
  let time: Instant
  let cause: Event.Cause
}
