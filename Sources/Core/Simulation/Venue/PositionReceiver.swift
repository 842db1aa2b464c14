import Instants

/// The receiver of satellites of the device whose engine is tried, and how wrong it is.
///
/// What it says of its accuracy is honest: one standard deviation along each axis, of both noises together.
public struct PositionReceiver: Hashable, Sendable {
  /// Whoever carries it carries the device: circles are entered by them, and by nobody else.
  public var whereabouts: Whereabouts
  /// From one fix to the next.
  public var interval: Span
  /// White noise: metres along each axis, one sigma.
  public var noise: Double
  /// Noise that stays for a while, as that of the ionosphere and of reflections does: metres along each axis, one sigma.
  public var drift: Double
  /// After so long the drift has 1/e in common with what it was.
  public var driftTime: Span
  /// Metres per second along each axis, one sigma; nil for a receiver that does not measure its speed.
  public var speedNoise: Double?

  public static let defaultInterval = Span.seconds(1)
  public static let defaultNoise = 3.0
  public static let defaultDriftTime = Span.seconds(300)
  public static let defaultSpeedNoise = 0.1

  public init(
    whereabouts: Whereabouts, interval: Span = defaultInterval, noise: Double = defaultNoise, drift: Double = 0,
    driftTime: Span = defaultDriftTime, speedNoise: Double? = defaultSpeedNoise
  ) {
    self.whereabouts = whereabouts
    self.interval = interval
    self.noise = noise
    self.drift = drift
    self.driftTime = driftTime
    self.speedNoise = speedNoise
  }

  /// Metres along each axis, one sigma.
  public var accuracy: Double { (noise * noise + drift * drift).squareRoot() }
}
