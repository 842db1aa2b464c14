internal import Beacons
internal import Events
import FoundationEssentials
internal import Instants

extension EventReason {
  init(_ reason: Event.Reason) {
    cause = reason.cause.flatMap { Cause(rawValue: $0.rawValue) }
    (lastSeen, lastSeenAge) = (reason.lastSeen.map { Date($0) }, reason.lastSeenAge.map { .seconds($0) })
    (samples, threshold) = (reason.samples.map { Int(clamping: $0) }, reason.threshold)
    (exitDelay, hold, dwell) = (reason.exitDelay.map(Duration.init), reason.hold.map(Duration.init), reason.dwell.map(Duration.init))
    (fixTime, fixAge) = (reason.fixTime.map { Date($0) }, reason.fixAge.map { .seconds($0) })
    (probability, longestGap) = (reason.probability, reason.longestGap.map(Duration.init))
    (usualRSSI, otherRSSI, displacement) = (reason.usualRSSI, reason.otherRSSI, reason.displacement)
    adapter = reason.adapter
  }
}

extension BeaconMeasurement {
  /// Returns nil for an event without a beacon.
  init?(_ event: Event) {
    guard event.beacon != nil else { return nil }
    (rssi, distance, accuracy) = (event.rssi, event.distance, event.accuracy)
    distanceMethod = event.distanceMethod.flatMap { DistanceMethod(rawValue: $0.rawValue) }
    proximity = event.proximity.flatMap { Proximity(rawValue: $0.rawValue) }
  }
}

extension BeaconEvent {
  /// Returns nil for an event that is not about an expected beacon.
  init?(_ event: Event) {
    guard let kind = event.kind, let beacon = event.beacon,
      let problem = Problem(kind == .beaconRecovered ? event.ended : kind)
    else { return nil }
    (self.problem, change) = (problem, kind == .beaconRecovered ? .ended : .began)
    self.beacon = BeaconIdentityCondition(beacon)
    (placeName, placeID) = (event.placeName, event.placeID)
    date = event.time.map { Date($0) } ?? Date()
    (rssi, batteryVoltage, temperature) = (event.rssi, event.battery, event.temperature)
    reason = EventReason(event.reason)
  }
}

extension BeaconEvent.Problem {
  fileprivate init?(_ kind: Event.Kind?) {
    switch kind {
    case .beaconMissing: self = .missing
    case .beaconWeak: self = .weak
    case .beaconMoved: self = .moved
    case .beaconDuplicate: self = .duplicate
    default: return nil
    }
  }
}

extension Duration {
  fileprivate init(_ span: Span) { self = .microseconds(span.microseconds) }
}
