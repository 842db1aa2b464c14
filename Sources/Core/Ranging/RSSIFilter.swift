import Instants
import RealModule

/// A time-weighted exponential average of RSSI on which a single outlier has little effect.
///
/// A sample's weight is 1 − e^(−Δt/τ), where Δt is the time since the previous sample. Bursts and gaps thus have their proper weight. On
/// the gallery walks, τ = 2 s finds the nearest beacon most often, at a lag of 1.4 s. Medians, Huber weights and Kalman filters are no
/// better.
public struct RSSIFilter: Hashable, Sendable {
  /// The filtered RSSI in dBm.
  public private(set) var level: Double
  /// The variance of single samples around the level, in dB².
  public private(set) var variance: Double
  /// The number of samples since the filter started.
  public private(set) var samples: UInt32
  /// The sum of the squared weights of the samples in the level, whose weights sum to one.
  /// Its reciprocal is the effective number of samples (Kish, Survey Sampling, 1965). Single precision is enough for a sigma.
  public private(set) var squaredWeights: Float
  private var updated: Instant

  /// The largest step in dB: a sample that is farther from the level counts as if it were this far away.
  /// Multipath fades reach 30 dB, whatever the distance.
  private static let largestStep = 10.0
  /// The variance of single samples before it was measured, in dB²: a spread of 4 dB, the median on the gallery walks.
  private static let initialVariance = 16.0
  /// The share of the level's weight: the variance follows five times more slowly.
  private static let varianceShare = 0.2
  /// The silence in multiples of τ after which the filter restarts, because nothing of the old level is useful.
  private static let memory = 5.0

  public init(rssi: Double, at time: Instant) {
    level = rssi
    variance = Self.initialVariance
    samples = 1
    squaredWeights = 1
    updated = time
  }

  /// Adds a sample.
  ///
  /// - Parameter decay: 1/τ per microsecond, positive. Dividing once is cheaper than for every sample.
  @inline(__always)  // a part of every sighting
  public mutating func add(rssi: Double, at time: Instant, decay: Double) {
    let age = Double((time - updated).microseconds) * decay
    guard age < Self.memory else {
      self = RSSIFilter(rssi: rssi, at: time)
      return
    }
    let step = Swift.max(-Self.largestStep, Swift.min(Self.largestStep, rssi - level))
    let kept = Double.exp(-age)
    let weight = 1 - kept
    level += weight * step
    variance += weight * Self.varianceShare * (step * step - variance)
    samples &+= 1
    squaredWeights = Float(kept * kept * Double(squaredWeights) + weight * weight)
    updated = time
  }

  /// The deviation in dB that obstacles between beacon and receiver cause.
  /// An obstacle shifts the level for as long as it is there, and averaging does not remove the shift. With 5 dB, two thirds of the gallery
  /// walks' distances lie within one sigma.
  private static let shadowing = 5.0

  /// The variance of the level in dB², for path loss alone.
  /// It is the measured noise of the samples, averaged over at most ten, and shadowing.
  public var levelVariance: Double {
    @inline(__always)  // otherwise every sighting copies the filter
    get { variance / Double(Swift.min(samples, 10)) + Self.shadowing * Self.shadowing }
  }
}
