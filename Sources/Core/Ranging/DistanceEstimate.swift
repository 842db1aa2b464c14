import Beacons
import RealModule

/// A distance that a method has estimated from a filtered RSSI, with its uncertainty.
public struct DistanceEstimate: Hashable, Sendable {
  public let method: DistanceMethod
  public let distance: Distance
  /// The variance of ln d; `nil` if it is unknown.
  private let variance: Double?

  /// Estimates a distance.
  ///
  /// - Parameters:
  ///   - distance: the distance by path loss alone; for the indoor position, the estimate itself.
  ///   - levelVariance: the variance of the filtered RSSI in dB², by the same method.
  ///   - slope: the slope of the path loss model, by which a level becomes ln d.
  public init(_ distance: Distance, levelVariance: Double, slope: Double, method: DistanceMethod) {
    let variance = slope * slope * levelVariance
    self.method = method
    switch method {
    case .plain, .indoor:
      self.distance = distance
      self.variance = variance
    case .bayesian:
      // Both the prior and the likelihood are normal in ln d, so the posterior is normal as well.
      let weight = DistancePrior.variance / (DistancePrior.variance + variance)
      self.distance = Distance(logarithm: weight * distance.logarithm + (1 - weight) * DistancePrior.medianLogarithm)
      self.variance = weight * variance
    }
  }

  /// Creates an estimate from a saved one, whose uncertainty is not saved.
  public init(saved distance: Distance, method: DistanceMethod) {
    self.method = method
    self.distance = distance
    variance = nil
  }

  /// One sigma of the distance in metres; `nil` if unknown.
  public var accuracy: Double? {
    guard let variance else { return nil }
    switch method {
    case .plain: return distance.metres * variance.squareRoot()
    case .bayesian, .indoor: return Self.accuracy(distance.metres, deviation: variance.squareRoot())
    }
  }

  /// Returns the standard deviation in metres of a log-normal distribution with this median in metres.
  ///
  /// - Parameter deviation: the standard deviation of the natural logarithm.
  static func accuracy(_ median: Double, deviation: Double) -> Double {
    let variance = deviation * deviation
    return median * Double.exp(variance / 2) * Double.expMinusOne(variance).squareRoot()
  }
}

/// The distances of beacons before any of them is measured: log-normal, 68 % between 2 and 12 m.
///
/// Path loss alone makes too many beacons near: most places in a room are far from a beacon, and fading and the spread of transmitters
/// multiply distances by a factor. Medians of 4 to 6 m gave the same results; Docs/decisions/0046 has the figures.
enum DistancePrior {
  /// ln 5 m. A literal, so that no code runs to initialize it.
  static let medianLogarithm = 1.6094379124341003
  /// The square of 0.9, the standard deviation of ln d.
  static let variance = 0.81
  /// The variance of a level by fading in dB², for 5 dB. Fading changes with the place, so averaging does not remove it.
  static let fading = 25.0
  /// The variance of a level by fading and by the spread between transmitters of one make in dB², for 6 dB.
  static let uncalibratedFading = 36.0
  /// The variance of single samples in dB², for 4 dB.
  static let noise = 16.0
}
