import Events
import Instants

/// A change of a region's state, and its cause.
public struct RegionTransition: Hashable, Sendable {
  public let region: Region
  public let kind: Event.Kind
  public let state: RegionState
  /// The time of the change: the sighting's, or the deadline that passed.
  public let time: Instant
  public let cause: Event.Cause
  /// The silence that counts as an exit at that time; `nil` for a circle.
  public let exitDelay: Span?
  /// The beacon that decided; `nil` if none has ever satisfied the region.
  public let evidence: BeaconEvidence?
  /// The last fix; `nil` if there was none or it has expired.
  public let fix: Fix?
  /// The probability by the indoor position that decided; `nil` if another source did.
  ///
  /// The probability is that of being inside the place, or within the distance of the beacon.
  public let probability: Double?
}

extension RegionTransition {
  /// Creates the transition of a beacon region.
  ///
  /// - Parameters:
  ///   - evidence: the sighting that decided; `nil` for the last sighting that satisfied the region.
  ///   - probability: the probability that decided; `nil` if the signal did.
  init(_ watch: BeaconWatch, _ change: RegionChange, evidence: BeaconEvidence? = nil, probability: Double? = nil) {
    region = .beacon(watch.region)
    kind = change.kind
    state = watch.state
    time = change.time
    cause = change.cause
    exitDelay = watch.exitDelay
    self.evidence = evidence ?? watch.lastSatisfied
    fix = nil
    self.probability = probability
  }

  /// Creates the transition of a circle or of a place in a venue.
  init<Area: AreaRegion>(_ watch: AreaWatch<Area>, _ change: RegionChange, _ fix: Fix?, probability: Double? = nil) {
    region = watch.region.region
    kind = change.kind
    state = watch.state
    time = change.time
    cause = change.cause
    exitDelay = nil
    evidence = nil
    self.fix = fix
    self.probability = probability
  }
}

/// A change from one step of a region's state machine.
struct RegionChange {
  let kind: Event.Kind
  let time: Instant
  let cause: Event.Cause
}
