import BeaconAdvertising
import Instants

/// How RSSI becomes distance at this venue.
public struct RangingSettings: Hashable, Sendable {
  public var model: PathLossModel
  /// Added to every RSSI before it becomes a distance, dB: positive for a receiver that hears too weakly.
  public var rssiOffset: Double
  /// Added on top for one beacon, dB: positive for one that is heard more weakly than it says. Offsets between beacons of one make span 12 dB and are stable.
  public var beaconOffsets: [BeaconIdentity: Double]
  /// Added to every RSSI that an adapter hears before anything is made of it, dB, by `Sighting.adapter`: what several hear can be compared then.
  public var adapterOffsets: [UInt16: Double]
  /// τ of the RSSI filter, seconds.
  public var timeConstant: Double

  public init(
    model: PathLossModel = PathLossModel(), rssiOffset: Double = 0, beaconOffsets: [BeaconIdentity: Double] = [:],
    adapterOffsets: [UInt16: Double] = [:], timeConstant: Double = 2
  ) {
    self.model = model
    self.rssiOffset = rssiOffset
    self.beaconOffsets = beaconOffsets
    self.adapterOffsets = adapterOffsets
    self.timeConstant = timeConstant
  }

  /// 1/τ per microsecond.
  var filterDecay: Double { 1 / (timeConstant * 1e6) }
}
