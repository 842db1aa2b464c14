public import Beacons

/// A value with its standard deviation.
public struct Estimate: Hashable, Sendable {
  public var value: Double
  public var deviation: Double

  public init(_ value: Double, deviation: Double) {
    (self.value, self.deviation) = (value, deviation)
  }
}

/// The properties of a room, its receivers and its beacons by signals at known distances.
///
/// An offset is added to every RSSI before its distance is computed: positive for a weak receiver or beacon.
public struct SignalCalibration: Hashable, Sendable {
  public struct Beacon: Hashable, Sendable {
    public let identity: BeaconIdentity
    /// dB, relative to the power that the beacon advertises.
    public let offset: Estimate
    /// The RSSI in dBm at 1 m, as a receiver without an offset measures it.
    public let power: Estimate
    public let packets: Int
    /// The nearest and the farthest distance in metres at which it was measured.
    public let distances: ClosedRange<Double>
  }

  /// The mean difference in dB between measurement and model in a band of distances.
  public struct Residual: Hashable, Sendable {
    /// Metres.
    public let distances: ClosedRange<Double>
    public let mean: Double
    /// The root mean square in dB.
    public let spread: Double
    public let samples: Int
  }

  /// A reason why a value was not determined, or is less certain than it could be.
  public enum Shortage: Hashable, Sendable {
    /// The distances from each beacon, of which these differ most, are too much alike to show how the signal fades.
    case distances(ClosedRange<Double>)
    /// The exponent is too uncertain to be an improvement, so the usual one was assumed.
    case exponent(Estimate)
    /// The offset of an adapter is too uncertain to be an improvement.
    case adapter(UInt16, Estimate)
    /// A beacon was measured several times at one distance in metres, which counts as one place.
    case repeated(BeaconIdentity, Double, Int)
    /// A beacon was heard in too few packets.
    case packets(BeaconIdentity, Int)
    /// The offset of a beacon is too uncertain to be an improvement.
    case uncertain(BeaconIdentity, Estimate)
  }

  /// The path-loss exponent; nil if the distances do not show it, so that the usual one was assumed.
  public var exponent: Estimate?
  /// The offsets in dB of the adapters.
  ///
  /// With fewer than three beacons they cannot be distinguished from the offsets of the beacons, and there are none.
  public var adapters: [UInt16: Estimate]
  /// The beacons with an offset that improves distances, by identity.
  public var beacons: [Beacon]
  public var residuals: [Residual]
  /// The typical deviation in dB between a place and the model: fading that no offset removes.
  public var fading: Double
  public var shortages: [Shortage]
  /// The number of samples that were refused because their values are impossible.
  public var refused: Int
}
