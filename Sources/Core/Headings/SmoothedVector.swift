import RealModule

/// The exponential mean of a vector, and the noise of its samples.
struct SmoothedVector {
  private(set) var value: SpaceVector?
  /// The variance of one component of a sample, as far as it deviates from the mean.
  private(set) var variance = 0.0
  private var samples = 0

  /// Whether the variance is known well enough.
  var isSettled: Bool { samples >= 8 }

  /// Adds a sample; `share` is its weight in the mean, 0...1. The first samples count more.
  mutating func add(_ sample: SpaceVector, share: Double) {
    guard let value else {
      value = sample
      samples = 1
      return
    }
    samples = min(samples + 1, 1_000_000)
    let weight = max(share, 1 / Double(samples))
    let deviation = sample - value
    self.value = value + deviation * weight
    // The deviation from the mean of earlier samples is larger than that from the true value.
    let squared = deviation.dot(deviation) / 3 * (1 - share / 2)
    let slow = max(share / 2, 1 / Double(samples))
    variance += (squared - variance) * slow
  }

  /// Converts the mean to other units; the variance stays, because they differ little.
  mutating func convert(_ change: (SpaceVector) -> SpaceVector) {
    value = value.map(change)
  }

  /// Turns the mean with the device.
  /// `turn` is the device's rotation since the last sample, in radians about its axes.
  mutating func follow(_ turn: SpaceVector) {
    guard let value else { return }
    let turned = value - turn.cross(value) + turn.cross(turn.cross(value)) / 2
    self.value = turned
  }

  /// One standard deviation of a component of the mean, for a weight of `share` and independent samples.
  func deviation(share: Double) -> Double { (variance * max(share / (2 - share), 1 / Double(max(1, samples)))).squareRoot() }
}
