import Instants
import RealModule

/// A time-weighted exponential average of RSSI that one outlier cannot drag far.
///
/// A sample counts by the time it stands for, 1 − e^(−Δt/τ), not by its number: bursts and gaps weigh what they should. On the
/// gallery walks τ = 2 s names the nearest beacon most often at a lag of 1.4 s; medians, Huber weights and Kalman filters gain nothing over it.
public struct RSSIFilter: Hashable, Sendable {
  /// Filtered RSSI in dBm.
  public private(set) var level: Double
  /// Variance of single samples around the level, dB².
  public private(set) var variance: Double
  /// Samples since the filter started.
  public private(set) var samples: UInt32
  private var updated: Instant

  /// A sample moves the level as if it were at most this far away, in dB: multipath fades reach 30 dB and say nothing about distance.
  private static let largestStep = 10.0
  /// A single sample's spread before it has been measured: 4 dB, the median on the gallery walks.
  private static let initialVariance = 16.0
  /// Of the level's weight: the variance follows five times more slowly.
  private static let varianceShare = 0.2
  /// After a silence this long, in τ, nothing of the old level is worth keeping.
  private static let memory = 5.0

  public init(rssi: Double, at time: Instant) {
    level = rssi
    variance = Self.initialVariance
    samples = 1
    updated = time
  }

  /// - Parameter decay: 1/τ per microsecond, positive: dividing once is cheaper than for every sample.
  @inline(__always)  // a part of every sighting
  public mutating func add(rssi: Double, at time: Instant, decay: Double) {
    let age = Double((time - updated).microseconds) * decay
    guard age < Self.memory else {
      self = RSSIFilter(rssi: rssi, at: time)
      return
    }
    let step = Swift.max(-Self.largestStep, Swift.min(Self.largestStep, rssi - level))
    let weight = 1 - Double.exp(-age)
    level += weight * step
    variance += weight * Self.varianceShare * (step * step - variance)
    samples &+= 1
    updated = time
  }

  /// What stands between beacon and receiver shifts the level for as long as it stands there, and averaging does not remove it: 5 dB makes
  /// two thirds of the gallery walks' distances lie within one sigma.
  private static let shadowing = 5.0

  /// One sigma of the level in dB: the samples' noise, averaged over at most ten, and shadowing.
  public var deviation: Double { Self.deviation(variance: variance, samples: samples) }

  /// As `deviation`, of a level that was kept with these.
  public static func deviation(variance: Double, samples: UInt32) -> Double {
    (variance / Double(Swift.min(samples, 10)) + shadowing * shadowing).squareRoot()
  }
}
