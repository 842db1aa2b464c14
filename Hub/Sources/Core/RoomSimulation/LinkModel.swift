import RealModule

/// The errors of the levels in digests around the true mean of a place, as `TagLink` makes them.
///
/// The persistent part of a stay is slow fading and the mean of the fades of three channels. A Kalman filter follows it for each
/// hypothesis. The rest is noise. It is correlated over the 2 s for which devices filter, so that levels in close digests count less. The
/// variances were checked by the innovations along the true walks.
enum LinkModel {
  /// The variances in dB² of slow fading and of the mean fade.
  static let slowVariance: Float = 4
  static let fadeVariance: Float = 6.5
  /// The share of the persistent error that is slow fading, and therefore survives the beginning of a walk.
  static let slowShare = slowVariance / (slowVariance + fadeVariance)
  /// The share that remains after a second of a stay, and of a walk.
  static let keptInStay = Float.exp(-1 / 80)
  static let keptInWalk = Float.exp(-1 / 60)
  /// The mean of Rician fades in dB.
  static let bias: Float = -0.5
  /// The gain of a device's filter in a second.
  static let gain = 1 - Float.exp(-1 / 2)
  /// The deviation of single packets in dB.
  private static let packetDeviation: Float = 4
  /// The density of levels that contradict the model.
  static let outlier: Float = 0.002

  /// Returns the variance of the noise in a level some seconds after the one before.
  static func noise(isWalking: Bool, interval: Float) -> Float {
    let correlation = Float.exp(-interval / (isWalking ? 2.5 : 2))
    return (isWalking ? 4.2 : 1.8) * (1 + correlation) / (1 - correlation)
  }

  private static func normal(_ value: Float) -> Float { Float.erfc(-value * Float(0.5).squareRoot()) / 2 }

  /// The level of the packets that are received, and its derivative, for a mean in fifths of a dB from -120.
  ///
  /// A receiver loses the weaker ones, so the filtered level has a mean above the true one.
  private static let received: [(level: Float, slope: Float)] = (0..<200).map { index in
    let mean = -120 + (Float(index) + 0.5) / 5
    let limit = (Float(SiteRadio.sensitivity) - mean) / packetDeviation
    guard limit < 4 else { return (-94.2, 0.05) }
    let ratio = Float.exp(-limit * limit / 2) / (2 * Float.pi).squareRoot() / normal(-limit)
    return (mean + packetDeviation * ratio, Swift.max(0.05, 1 - ratio * (ratio - limit)))
  }

  /// Returns the expected level in a digest for a mean, and its derivative.
  static func level(of mean: Float) -> (level: Float, slope: Float) {
    guard mean < -83 else { return (mean, 1) }
    return received[Swift.max(0, Swift.min(received.count - 1, Int((mean + 120) * 5)))]
  }

  /// Returns the probabilities of silence for means in fifths of a dB from -125.
  ///
  /// - Parameters:
  ///   - limit: The level of the weakest beacon of a full digest; the sensitivity if it is not full.
  ///   - interval: The seconds of the digest.
  static func silence(limit: Float, interval: Float) -> [Float] {
    (0..<400).map { index in
      let mean = -125 + (Float(index) + 0.5) / 5
      // The fades of two packets in a row are alike, so a digest counts fewer packets than it has.
      let packets = 1.2 * interval
      let lost = Float.pow(0.2 + 0.8 * normal((Float(SiteRadio.sensitivity) - mean) / packetDeviation), packets)
      let omitted = limit > Float(SiteRadio.sensitivity) ? normal((limit - mean) / 1.5) : 0
      return lost + (1 - lost) * omitted + outlier
    }
  }

  /// Returns the entry of such a table for a mean.
  static func entry(_ table: [Float], _ mean: Float) -> Float { table[Swift.max(0, Swift.min(table.count - 1, Int((mean + 125) * 5)))] }
}
