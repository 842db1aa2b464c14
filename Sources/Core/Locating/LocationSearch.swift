import Instants
import Locations

/// One fix is wanted, as good as it gets within a time.
struct LocationSearch: Sendable {
  /// How long GeoClue may take to say something new. Who stays silent for longer has nothing new to say, and what it said before will do.
  static let patience = Span.seconds(10)
  /// A fix that is no older when it is asked for is one of now.
  static let recent = Span.seconds(5)

  let accuracy: DesiredAccuracy
  let deadline: Instant
  private(set) var best: Location?
  private let begin: Instant
  /// The best accuracy so far, metres.
  private var finest = Double.infinity
  private var isPatient = true

  init(_ accuracy: DesiredAccuracy, at now: Instant, until deadline: Instant) {
    self.accuracy = accuracy
    self.deadline = deadline
    begin = now
  }

  /// True when this fix is finer than all there were. One that is only newer takes the place of a finer one, too, once that has become worse with its age.
  mutating func take(_ fix: Location, at now: Instant) -> Bool {
    forget(at: now)
    if let best, fix.uncertainty(at: now) > best.uncertainty(at: now) {
      // One of now that will do is better than one of before that may.
      guard !isOfNow(best), isOfNow(fix), accuracy.isMet(by: fix.horizontalAccuracy) else { return false }
    }
    let isFirst = best == nil
    best = fix
    guard let accuracy = fix.horizontalAccuracy, accuracy < finest else { return isFirst }
    finest = accuracy
    return true
  }

  /// When it may be over though nothing comes.
  var nextLook: Instant {
    guard isPatient, let best, !best.isSteady, !isOfNow(best) else { return deadline }
    return min(deadline, begin + Self.patience)
  }

  /// A fix that tells nothing any more is none that was found.
  private mutating func forget(at now: Instant) {
    guard let best, !best.isCurrent(at: now) else { return }
    (self.best, finest) = (nil, .infinity)
  }

  /// Says what time it is.
  mutating func advance(to now: Instant) {
    forget(at: now)
    if now >= begin + Self.patience { isPatient = false }
  }

  /// - Parameter reach: metres, the best accuracy that any working source can reach; nothing is gained by waiting for more.
  func isOver(reach: Double?, at now: Instant) -> Bool {
    if now >= deadline { return true }
    guard let best, isOfNow(best) || !isPatient && !best.isSteady else { return false }
    if accuracy.isMet(by: best.horizontalAccuracy) { return true }
    guard let reach, let found = best.horizontalAccuracy else { return false }
    return found <= reach
  }

  private func isOfNow(_ fix: Location) -> Bool { fix.end == .never || fix.measured >= begin - Self.recent }
}
