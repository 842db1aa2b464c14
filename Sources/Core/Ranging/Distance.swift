import RealModule

/// A distance, kept as its logarithm: that is what path loss gives, and all that comparing needs. Metres cost an exponential, so they are asked for only where
/// somebody sees them.
public struct Distance: Hashable, Comparable, Sendable {
  /// ln of metres.
  let logarithm: Double

  init(logarithm: Double) {
    self.logarithm = logarithm
  }

  /// - Parameter metres: above zero.
  public init(metres: Double) {
    logarithm = .log(metres)
  }

  public var metres: Double { .exp(logarithm) }

  /// One sigma in metres, where the level that it came from has this deviation in dB and the model this slope.
  public func accuracy(slope: Double, deviation: Double) -> Double { metres * slope * deviation }

  public static func < (a: Distance, b: Distance) -> Bool { a.logarithm < b.logarithm }
}
