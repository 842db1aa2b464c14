import Instants
import Locations

/// A request for one fix, as accurate as possible within a timeout.
struct LocationSearch: Sendable {
  /// The time that GeoClue may take to report a new location.
  /// A source that stays silent for longer has no new location, so its earlier fix is accepted.
  static let patience = Span.seconds(10)
  /// The maximum age of a current fix at the start of the search.
  static let recent = Span.seconds(5)

  let accuracy: DesiredAccuracy
  let deadline: Instant
  private(set) var best: Location?
  private let begin: Instant
  /// The best accuracy so far, in metres.
  private var finest = Double.infinity
  private var isPatient = true

  init(_ accuracy: DesiredAccuracy, at now: Instant, until deadline: Instant) {
    self.accuracy = accuracy
    self.deadline = deadline
    begin = now
  }

  /// Takes a fix and returns true if it is more accurate than all fixes before it.
  /// A fix that is only newer also replaces the best one once age has made that one less certain.
  mutating func take(_ fix: Location, at now: Instant) -> Bool {
    forget(at: now)
    if let best, fix.uncertainty(at: now) > best.uncertainty(at: now) {
      // A current fix that meets the requested accuracy is preferred to a finer one from before the search.
      guard !isOfNow(best), isOfNow(fix), accuracy.isMet(by: fix.horizontalAccuracy) else { return false }
    }
    let isFirst = best == nil
    best = fix
    guard let accuracy = fix.horizontalAccuracy, accuracy < finest else { return isFirst }
    finest = accuracy
    return true
  }

  /// The time at which the search may end without another fix.
  var nextCheck: Instant {
    guard isPatient, let best, !best.isSteady, !isOfNow(best) else { return deadline }
    return min(deadline, begin + Self.patience)
  }

  /// Discards the best fix once it is no longer current.
  private mutating func forget(at now: Instant) {
    guard let best, !best.isCurrent(at: now) else { return }
    (self.best, finest) = (nil, .infinity)
  }

  /// Advances the clock of the search.
  mutating func advance(to now: Instant) {
    forget(at: now)
    if now >= begin + Self.patience { isPatient = false }
  }

  /// Returns whether the search has ended.
  ///
  /// - Parameter bestAccuracy: the best typical accuracy in metres of the working sources; waiting for a better fix is useless.
  func isOver(bestAccuracy: Double?, at now: Instant) -> Bool {
    if now >= deadline { return true }
    guard let best, isOfNow(best) || !isPatient && !best.isSteady else { return false }
    if accuracy.isMet(by: best.horizontalAccuracy) { return true }
    guard let bestAccuracy, let found = best.horizontalAccuracy else { return false }
    return found <= bestAccuracy
  }

  private func isOfNow(_ fix: Location) -> Bool { fix.end == .never || fix.measured >= begin - Self.recent }
}
