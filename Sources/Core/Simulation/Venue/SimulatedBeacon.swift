import BeaconAdvertising
import Beacons
import Instants

/// A beacon with its true properties, which may differ from those it advertises.
public struct SimulatedBeacon: Hashable, Sendable {
  public var identity: BeaconIdentity
  public var position: VenuePosition
  /// The height above the floor in metres.
  public var height: Double
  /// The true mean RSSI in dBm at 1 m for a receiver without an offset.
  public var power: Double
  /// The measured power that the beacon advertises.
  public var measuredPower: Int8
  /// The interval between two advertisements.
  /// Bluetooth allows 20 ms to 10.24 s (Core Specification 5.4, Volume 6, Part B, 4.4.2.2).
  public var interval: Span
  /// The maximum of a random delay that is added to each interval; Bluetooth has 10 ms, its advDelay.
  public var jitter: Span
  /// The loss of this beacon; nil: the venue's.
  public var loss: BurstLoss?
  /// The time since the beginning at which its battery is empty; nil if it lasts.
  public var batteryDeath: Span?

  /// The height in metres of a beacon of a venue that does not state it.
  public static let usualHeight = 2.0
  public static let defaultPower = -59.0
  public static let defaultInterval = Span.milliseconds(1000)
  public static let defaultJitter = Span.milliseconds(10)

  public init(
    identity: BeaconIdentity, position: VenuePosition, height: Double = 0, power: Double = defaultPower, measuredPower: Int8? = nil,
    interval: Span = defaultInterval, jitter: Span = defaultJitter, loss: BurstLoss? = nil, batteryDeath: Span? = nil
  ) {
    self.identity = identity
    self.position = position
    self.height = height
    self.power = power
    self.measuredPower = measuredPower ?? RadioModel.rssi(power)
    self.interval = interval
    self.jitter = jitter
    self.loss = loss
    self.batteryDeath = batteryDeath
  }
}
