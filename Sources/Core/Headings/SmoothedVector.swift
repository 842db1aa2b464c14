import RealModule

/// The mean of a vector over a short time, and the noise of its samples.
///
/// An exponential mean lags behind a vector that turns, in proportion to the rate. Its own mean lags twice as much, so their difference is
/// the lag. The lag is added as far as it exceeds its noise: a vector that rests stays as smooth as by the first mean alone.
/// Source: R. G. Brown, double exponential smoothing, 1963.
struct SmoothedVector {
  /// The mean with the weight `share`, and the mean of that mean.
  private(set) var mean: SpaceVector?
  private var meanOfMean = SpaceVector.zero
  /// The mean of the samples' deviations from `value`, over a third of the time.
  private var drift = SpaceVector.zero
  /// The variance of one component of a sample, as far as it deviates from the mean.
  private(set) var variance = 0.0
  /// The weight of the latest sample.
  private var share = 1.0
  private var samples = 0
  private let followsTurns: Bool

  /// The squares of the lag and of a change up to which they count as noise, as multiples of their variance.
  private static let noise = (lag: 9.0, change: 5.0)

  /// - Parameter followsTurns: whether the lag is removed; false for a vector that sways more than it turns.
  init(followsTurns: Bool) {
    self.followsTurns = followsTurns
  }

  /// Whether the variance is known well enough.
  var isSettled: Bool { samples >= 8 }

  /// The vector at the time of the latest sample; nil before the first one.
  var value: SpaceVector? { mean.map { followsTurns ? $0 + lag * removedShare : $0 } }

  /// The lag of the mean: the mean of the mean lags behind it by as much.
  var lag: SpaceVector { mean.map { $0 - meanOfMean } ?? .zero }

  /// The share of the lag that is removed, 0...1.
  private var removedShare: Double {
    let square = lag.dot(lag)
    guard square > 0 else { return 0 }
    return max(0, 1 - Self.noise.lag * varianceOfLag / square)
  }

  /// The variance of one component of the lag of a vector that rests.
  private var varianceOfLag: Double { variance * share / 4 }

  /// Adds a sample; `share` is its weight in the mean, 0...1. The first samples count more.
  mutating func add(_ sample: SpaceVector, share: Double) {
    guard let mean, let value else {
      (self.mean, meanOfMean, self.share) = (sample, sample, 1)
      samples = 1
      return
    }
    samples = min(samples + 1, 1_000_000)
    let weight = max(share, 1 / Double(samples))
    let deviation = sample - value
    self.mean = mean + (sample - mean) * weight
    meanOfMean += lag * weight
    drift += (deviation - drift) * min(1, 3 * weight)
    self.share = weight
    // The deviation from the mean of earlier samples is larger than that from the true value.
    let squared = deviation.dot(deviation) / 3 * (1 - share / 2)
    let slow = max(share / 2, 1 / Double(samples))
    variance += (squared - variance) * slow
  }

  /// Converts the mean to other units; the variance stays, because they differ little.
  mutating func convert(_ change: (SpaceVector) -> SpaceVector) {
    guard let mean else { return }
    let lagging = change(meanOfMean)
    (self.mean, meanOfMean) = (change(mean), lagging)
  }

  /// Turns the mean with the device.
  /// `turn` is the device's rotation since the last sample, in radians about its axes.
  mutating func follow(_ turn: SpaceVector) {
    guard let mean else { return }
    func turned(_ vector: SpaceVector) -> SpaceVector { vector - turn.cross(vector) + turn.cross(turn.cross(vector)) / 2 }
    (self.mean, meanOfMean, drift) = (turned(mean), turned(meanOfMean), turned(drift))
  }

  /// Returns one standard deviation of `value` along a direction of length 1, for independent samples.
  ///
  /// Its parts are the noise of the mean, the lag that is not removed, and a change that the mean does not follow yet.
  func deviation(along direction: SpaceVector) -> Double {
    let removed = followsTurns ? removedShare : 0
    let noise = variance * max(share * (1 + (1 + removed) * (1 + removed)) / 4, 1 / Double(max(1, samples)))
    let rest = (1 - removed) * lag.dot(direction)
    let change = drift.dot(direction)
    let rests = max(0, rest * rest - varianceOfLag)
    // The mean of the deviations has three times the weight of the mean, so its variance is 3/2 of the share.
    let varianceOfChange = 1.5 * variance * share
    let changes = change * change > Self.noise.change * varianceOfChange ? change * change - varianceOfChange : 0
    return (noise + rests + changes).squareRoot()
  }
}
