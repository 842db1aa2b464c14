import Instants
import Locations

/// One fix is wanted, as good as it gets within a time.
struct LocationSearch: Sendable {
  let accuracy: DesiredAccuracy
  let deadline: Instant
  private(set) var best: Location?

  init(_ accuracy: DesiredAccuracy, until deadline: Instant) {
    self.accuracy = accuracy
    self.deadline = deadline
  }

  /// True when this fix is better than what there was.
  mutating func take(_ fix: Location) -> Bool {
    guard let best else {
      self.best = fix
      return true
    }
    guard let accuracy = fix.horizontalAccuracy, accuracy < best.horizontalAccuracy ?? .infinity else { return false }
    self.best = fix
    return true
  }

  /// - Parameter reach: metres, the best accuracy that any working source can reach; nothing is gained by waiting for more.
  func isOver(reach: Double?, at now: Instant) -> Bool {
    if now >= deadline { return true }
    guard let best else { return false }
    if accuracy.isMet(by: best.horizontalAccuracy) { return true }
    guard let reach, let found = best.horizontalAccuracy else { return false }
    return found <= reach
  }
}
