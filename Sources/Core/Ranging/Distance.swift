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

  /// Returns one sigma in metres for a level with this deviation in dB and a model with this slope.
  public func accuracy(slope: Double, deviation: Double) -> Double { metres * slope * deviation }

  public static func < (a: Distance, b: Distance) -> Bool { a.logarithm < b.logarithm }
}
