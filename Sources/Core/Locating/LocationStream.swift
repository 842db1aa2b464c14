import Geodesy
import Instants
import Locations

/// Which fixes one listener is told of.
struct LocationStream: Sendable {
  private(set) var request: LocationRequest
  private(set) var delivered: Location?
  private var deliveredAt: Instant?
  /// How many fixes have come since the first of those that placed the device where it was delivered.
  private var newer = 0
  /// Since then.
  private var travel = Travel()

  init(_ request: LocationRequest) {
    self.request = request
  }

  /// What to deliver of this fix, if anything.
  ///
  /// - Parameter isStill: its accelerometer feels nothing.
  ///
  /// The distance filter counts from the last *delivered* fix, so that slow movement adds up. A fix that is at least twice as accurate passes it. One that was
  /// delivered because the device moved carries the mean that proves it.
  mutating func take(_ fix: Location, _ recent: RecentFixes, isStill: Bool = false, at now: Instant) -> Location? {
    newer = min(newer + 1, RecentFixes.capacity)
    travel.add(fix)
    return consider(fix, recent, isStill: isStill, at: now)
  }

  /// Goes on with another request, and says what of the fix that is known it wants at once, if it was not the last that was delivered.
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
    let seen = Movement.position(
      after: delivered.coordinate, filter: filter, fix, recent, newer: newer, travel: travel, isStill: isStill)
    guard let seen else { return nil }
    return deliver(fix.moved(to: seen.place), by: seen.fixes, at: now)
  }

  /// The listener was told that nothing is known: the next fix is news to it, wherever it is.
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
