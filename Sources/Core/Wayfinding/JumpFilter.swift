public import Geodesy
public import Instants
import Venues

/// A place of a visitor whose distance from another one is known.
public protocol VisitorPosition: Hashable, Sendable {
  /// Returns the distance in metres; nil if the places cannot be compared, such as on two levels.
  func distance(ofVisitorTo other: Self) -> Double?
}

/// Rejects positions that no walk explains, until a few in a row show that the visitor is elsewhere.
public struct JumpFilter<Place: VisitorPosition>: Sendable {
  public enum Verdict: Sendable {
    /// A position that a walk explains.
    case near
    /// A position to ignore.
    case jump
    /// A position of a visitor who is elsewhere without a walk, so that earlier positions do not give a direction.
    case elsewhere
  }

  private var last: (place: Place, accuracy: Double, time: Instant)?
  /// The number of jumps in a row.
  private var count = 0

  public init() {}

  /// Whether further positions decide if the visitor is elsewhere.
  public var isUndecided: Bool { count > 0 }

  /// Compares a position with the last one.
  ///
  /// - Parameters:
  ///   - accuracy: one sigma in metres.
  ///   - speed: the speed of the visitor in m/s; nil on foot.
  ///   - isExpected: whether the position is accepted, wherever it is.
  public mutating func judge(_ place: Place, accuracy: Double, at time: Instant, speed: Double? = nil, isExpected: Bool) -> Verdict {
    let isFar = isFar(place, accuracy, time, max(speed ?? 0, JumpLimits.speedOnFoot))
    if isFar, !isExpected, count < JumpLimits.most {
      count += 1
      return .jump
    }
    (last, count) = ((place, accuracy, time), 0)
    return isFar ? .elsewhere : .near
  }

  private func isFar(_ place: Place, _ accuracy: Double, _ time: Instant, _ speed: Double) -> Bool {
    guard let last, let distance = last.place.distance(ofVisitorTo: place) else { return false }
    let seconds = max(0, (time - last.time).seconds)
    return distance > speed * seconds + JumpLimits.mostSigmas * max(1, last.accuracy, accuracy)
  }
}

private enum JumpLimits {
  /// The highest speed of a visitor on foot in m/s, and the sigmas of a position that its error explains.
  static let (speedOnFoot, mostSigmas) = (3.0, 4.5)
  /// The number of jumps in a row that are ignored.
  static let most = 3
}

extension VenuePoint: VisitorPosition {
  public func distance(ofVisitorTo other: Self) -> Double? { level == other.level ? point.distance(to: other.point) : nil }
}

extension Coordinate: VisitorPosition {
  public func distance(ofVisitorTo other: Self) -> Double? { distance(to: other) }
}
