import Geodesy
import Instants
import Locations

/// Selects the fixes that one listener receives.
struct LocationStream: Sendable {
  private(set) var request: LocationRequest
  private(set) var delivered: Location?
  private var deliveredAt: Instant?
  /// The number of fixes since the first of those that determined the delivered place.
  private var newer = 0
  /// The movement since the delivered fix.
  private var travel = DeadReckoning()

  init(_ request: LocationRequest) {
    self.request = request
  }

  /// Takes a fix and returns the fix to deliver, or nil.
  ///
  /// - Parameter isStill: whether the accelerometer reports that the device is at rest.
  ///
  /// The distance filter counts from the last *delivered* fix, so that slow movement adds up. A fix that is at least twice as accurate
  /// passes the filter. A fix that is delivered because the device moved carries the mean that proves the move.
  mutating func take(_ fix: Location, _ recent: RecentFixes, isStill: Bool = false, at now: Instant) -> Location? {
    newer = min(newer + 1, RecentFixes.capacity)
    travel.add(fix)
    return consider(fix, recent, isStill: isStill, at: now)
  }

  /// Replaces the request and returns the known fix if the new request calls for its delivery at once.
  /// Returns nil if that fix was the last one delivered.
  mutating func change(to request: LocationRequest, _ fix: Location?, _ recent: RecentFixes, isStill: Bool, at now: Instant) -> Location? {
    guard request != self.request else { return nil }
    self.request = request
    guard let fix, let delivered, fix.measured != delivered.measured else { return nil }
    return consider(fix, recent, isStill: isStill, at: now)
  }

  private mutating func consider(_ fix: Location, _ recent: RecentFixes, isStill: Bool, at now: Instant) -> Location? {
    if let deliveredAt, now - deliveredAt < request.interval { return nil }
    guard let delivered else { return deliver(fix, at: now) }
    guard let filter = request.distanceFilter, !isMuchBetter(fix, than: delivered) else { return deliver(fix, at: now) }
    let seen = MovementTest.position(
      after: delivered.coordinate, filter: filter, fix, recent, newer: newer, travel: travel, isStill: isStill)
    guard let seen else { return nil }
    return deliver(fix.moved(to: seen.place), by: seen.fixes, at: now)
  }

  /// Makes the next fix pass the filter wherever it is; call after the report to the listener that the location is unknown.
  mutating func forget() { delivered = nil }

  private mutating func deliver(_ fix: Location, by fixes: Int = 1, at now: Instant) -> Location {
    travel.restart(with: fix)
    (delivered, deliveredAt, newer) = (fix, now, fixes)
    return fix
  }

  private func isMuchBetter(_ fix: Location, than other: Location) -> Bool {
    guard let accuracy = fix.horizontalAccuracy else { return false }
    return other.horizontalAccuracy.map { accuracy <= $0 / 2 } ?? true
  }
}
