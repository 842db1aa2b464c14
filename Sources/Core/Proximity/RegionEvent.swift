import BeaconAdvertising
import Beacons
import Events
import Geodesy
import Instants
import Ranging
import Regions

/// A transition of a region, numbered in chronological order in the sequence of the region's owner.
public struct RegionEvent: Hashable, Sendable {
  public let sequence: UInt64
  public let transition: RegionTransition

  public init(sequence: UInt64, transition: RegionTransition) {
    self.sequence = sequence
    self.transition = transition
  }
}

extension RegionEvent {
  /// Returns the event as the output of every program shows it.
  ///
  /// - Parameters:
  ///   - wallClock: converts the engine's instants into time since the Unix epoch.
  ///   - adapterName: returns the name of a sighting's adapter; `nil` if it has none.
  public func event(wallClock: (Instant) -> Instant = { $0 }, adapterName: (UInt16) -> String? = { _ in nil }) -> Event {
    let region = transition.region
    let evidence = transition.evidence
    var reason = Event.Reason(transition.cause)
    reason.lastSeen = (evidence?.lastSeen).map(wallClock)
    reason.lastSeenAge = (evidence?.lastSeen).map { age(since: $0, wallClock) }
    reason.samples = (evidence?.samples).map { UInt64($0) }
    reason.threshold = transition.threshold
    reason.exitDelay = transition.cause == .silence ? transition.exitDelay : nil
    reason.hold = transition.hold
    reason.probability = transition.probability
    reason.fixTime = (transition.fix?.time).map(wallClock)
    reason.fixAge = (transition.fix?.time).map { age(since: $0, wallClock) }
    reason.dwell = transition.cause == .stay ? region.dwell : nil
    reason.adapter = (evidence?.adapter).flatMap(adapterName)
    var event = Event(
      sequence: sequence, kind: transition.kind, region: region.identifier, regionKind: region.kind, time: wallClock(transition.time),
      state: transition.state, reason: reason)
    event.beacon = (evidence?.beacon).map { Event.Beacon($0) }
    event.rssi = evidence?.rssi
    let estimate = evidence?.estimate
    (event.distance, event.accuracy, event.distanceMethod) = (estimate?.distance.metres, estimate?.accuracy, estimate?.method)
    event.proximity = region.kind == .beacon ? evidence?.proximity ?? .unknown : nil
    event.location = transition.fix.map { Event.Location($0) }
    event.boundaryDistance = transition.boundaryDistance
    return event
  }
}

extension RegionEvent {
  /// Returns the age in seconds by the wall clock, which runs while the machine is suspended; the engine's clock may not.
  private func age(since time: Instant, _ wallClock: (Instant) -> Instant) -> Double {
    max(.zero, wallClock(transition.time) - wallClock(time)).seconds
  }
}

extension RegionTransition {
  /// The distance in metres that was crossed, from the beacon or from the circle's center; `nil` if distance did not decide.
  fileprivate var threshold: Double? {
    switch (cause, region) {
    case (.approach, .beacon(let region)): region.nearness?.within
    case (.departure, .beacon(let region)): region.nearness?.leaveBeyond
    case (.approach, .circle(let region)), (.passage, .circle(let region)): region.circle.radius
    case (.departure, .circle(let region)): region.circle.radius + region.buffer
    default: nil
    }
  }

  /// The time for which fixes agreed; `nil` if that did not decide.
  fileprivate var hold: Span? {
    switch (cause, region) {
    case (.approach, .circle), (.departure, .circle): CircularRegion.hold
    case (.approach, .place(let region)): region.entryHold > .zero ? region.entryHold : nil
    case (.departure, .place(let region)): region.exitHold
    default: nil
    }
  }

  /// The distance in metres from the circle's boundary to the last fix, negative inside; `nil` without a fix or a circle.
  fileprivate var boundaryDistance: Double? {
    guard let fix else { return nil }
    return region.circularRegion?.boundaryDistance(to: fix)
  }
}
