import BeaconAdvertising
import Beacons
import Instants

/// The settings that turn RSSI into distance at a venue.
public struct RangingSettings: Hashable, Sendable {
  public var model: PathLossModel
  /// The offset in dB that is added to every RSSI before computing a distance: positive for a weak receiver.
  public var rssiOffset: Double
  /// Additional offsets in dB for single beacons: positive for a beacon that is weaker than it advertises.
  /// Offsets between beacons of one make span 12 dB and are stable.
  public var beaconOffsets: [BeaconIdentity: Double]
  /// Offsets in dB by `Sighting.adapter`, which are added to every RSSI of an adapter before any other use.
  /// They make the RSSI of several adapters comparable.
  public var adapterOffsets: [UInt16: Double]
  /// The adapters whose offset is configured, zero or not, so that their level is known.
  public var calibratedAdapters: Set<UInt16> = []
  /// Whether the level of every adapter is known, because the configuration states an offset for all.
  public var isCalibrated: Bool
  /// The time constant τ of the RSSI filter in seconds.
  public var timeConstant: Double
  /// The method of reported distances, and of distances that decide about regions; see `BeaconRegion.Nearness`.
  public var method: DistanceMethod

  public init(
    model: PathLossModel = PathLossModel(), rssiOffset: Double = 0, beaconOffsets: [BeaconIdentity: Double] = [:],
    adapterOffsets: [UInt16: Double] = [:], isCalibrated: Bool = false, timeConstant: Double = 2, method: DistanceMethod = .bayesian
  ) {
    self.model = model
    self.rssiOffset = rssiOffset
    self.beaconOffsets = beaconOffsets
    self.adapterOffsets = adapterOffsets
    self.isCalibrated = isCalibrated
    self.timeConstant = timeConstant
    self.method = method
  }

  /// The reciprocal 1/τ per microsecond.
  var filterDecay: Double { 1 / (timeConstant * 1e6) }
}
