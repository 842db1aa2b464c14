import RealModule

/// A distance, stored as its logarithm, which is the result of path loss and suffices for comparisons.
/// Metres cost an exponential, so they are computed only for output.
public struct Distance: Hashable, Comparable, Sendable {
  /// The natural logarithm of the distance in metres.
  let logarithm: Double

  init(logarithm: Double) {
    self.logarithm = logarithm
  }

  /// Creates a distance.
  ///
  /// - Parameter metres: above zero.
  public init(metres: Double) {
    logarithm = .log(metres)
  }

  public var metres: Double { .exp(logarithm) }

  /// Whether this distance is below 0.8 of `other`, which noise alone seldom causes between beacons at one place.
  public func isClearlyBelow(_ other: Distance) -> Bool { logarithm < other.logarithm + Self.clearMargin }

  /// ln 0.8, a literal, so that no code runs to initialize it.
  private static let clearMargin = -0.2231435513142097

  public static func < (a: Distance, b: Distance) -> Bool { a.logarithm < b.logarithm }
}
