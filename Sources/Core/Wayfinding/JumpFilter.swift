import Instants
import Venues

/// Separates positions that no walk explains from those of the visitor. A few in a row are believed.
struct JumpFilter: Sendable {
  enum Verdict: Sendable {
    /// A position that a walk explains.
    case near
    /// A position to ignore.
    case jump
    /// A visitor who is elsewhere without a walk, so that earlier positions say nothing about the direction.
    case elsewhere
  }

  private var last: GuidedPosition?
  /// The number of jumps in a row.
  private var count = 0

  /// The speed of a visitor in m/s, and the sigmas of a position that its error explains.
  private static let (mostSpeed, mostSigmas) = (3.0, 4.5)
  private static let most = 3

  /// Whether further positions decide if the visitor is elsewhere.
  var isUndecided: Bool { count > 0 }

  /// Compares a position with the last one.
  ///
  /// - Parameter isExpected: whether the first position is accepted, wherever it is.
  mutating func judge(_ position: GuidedPosition, isExpected: Bool) -> Verdict {
    let isFar = isFar(position)
    if isFar, !isExpected, count < Self.most {
      count += 1
      return .jump
    }
    (last, count) = (position, 0)
    return isFar ? .elsewhere : .near
  }

  private func isFar(_ position: GuidedPosition) -> Bool {
    guard let last, last.place.level == position.place.level else { return false }
    let seconds = max(0, (position.time - last.time).seconds)
    let sigma = max(1, last.accuracy, position.accuracy)
    return last.place.point.distance(to: position.place.point) > Self.mostSpeed * seconds + Self.mostSigmas * sigma
  }
}
