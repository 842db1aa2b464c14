import BeaconAdvertising
import Instants

/// A beacon as it is, which need not be what it says.
public struct SimulatedBeacon: Hashable, Sendable {
  public var identity: BeaconIdentity
  public var whereabouts: Whereabouts
  /// The mean RSSI in dBm that a receiver of no offset sees at 1 m.
  public var power: Double
  /// What it says that this is.
  public var measuredPower: Int8
  /// Between two advertisements, 20 ms to 10.24 s in Bluetooth (Core Specification 5.4, Volume 6, Part B, 4.4.2.2).
  public var interval: Span
  /// On top of each interval comes a random delay from zero to this; Bluetooth has 10 ms, its advDelay.
  public var jitter: Span
  /// Nil: the venue's.
  public var loss: BurstLoss?
  /// When its battery is empty, since the beginning; nil for never.
  public var batteryDeath: Span?

  public static let defaultPower = -59.0
  public static let defaultInterval = Span.milliseconds(1000)
  public static let defaultJitter = Span.milliseconds(10)

  public init(
    identity: BeaconIdentity, whereabouts: Whereabouts, power: Double = defaultPower, measuredPower: Int8? = nil,
    interval: Span = defaultInterval, jitter: Span = defaultJitter, loss: BurstLoss? = nil, batteryDeath: Span? = nil
  ) {
    self.identity = identity
    self.whereabouts = whereabouts
    self.power = power
    self.measuredPower = measuredPower ?? RadioModel.rssi(power)
    self.interval = interval
    self.jitter = jitter
    self.loss = loss
    self.batteryDeath = batteryDeath
  }
}
