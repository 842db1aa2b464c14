import Instants

/// The satellite receiver of the device under test, and its errors.
///
/// The accuracy that it reports is correct: one standard deviation along each axis, of both noises together.
public struct PositionReceiver: Hashable, Sendable {
  /// The place or the carrier of the receiver; its carrier enters the circles, and no other visitor does.
  public var position: VenuePosition
  /// The interval between two fixes.
  public var interval: Span
  /// White noise in metres along each axis, one sigma.
  public var noise: Double
  /// Correlated noise, as of the ionosphere and of reflections, in metres along each axis, one sigma.
  public var drift: Double
  /// The time after which the correlation of the drift has decayed to 1/e.
  public var driftTime: Span
  /// The noise of the speed in metres per second along each axis, one sigma.
  /// It is nil for a receiver that does not measure its speed.
  public var speedNoise: Double?

  public static let defaultInterval = Span.seconds(1)
  public static let defaultNoise = 3.0
  public static let defaultDriftTime = Span.seconds(300)
  public static let defaultSpeedNoise = 0.1

  public init(
    position: VenuePosition, interval: Span = defaultInterval, noise: Double = defaultNoise, drift: Double = 0,
    driftTime: Span = defaultDriftTime, speedNoise: Double? = defaultSpeedNoise
  ) {
    self.position = position
    self.interval = interval
    self.noise = noise
    self.drift = drift
    self.driftTime = driftTime
    self.speedNoise = speedNoise
  }

  /// The reported accuracy in metres along each axis, one sigma.
  public var accuracy: Double { (noise * noise + drift * drift).squareRoot() }
}
