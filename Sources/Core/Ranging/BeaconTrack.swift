import BeaconAdvertising
import Instants

/// What is known about one beacon that is being heard: its filtered RSSI, its distance and its band.
public struct BeaconTrack: Hashable, Sendable {
  public let beacon: BeaconIdentity
  public private(set) var measuredPower: Int8 = 0
  public private(set) var adapter: UInt16 = 0
  public private(set) var lastSeen: Instant
  public private(set) var proximity = BeaconProximity.unknown
  /// Nil without an RSSI or with an implausible measured power.
  public private(set) var distance: Distance?
  /// Nil until the beacon was heard with an RSSI.
  public private(set) var filter: RSSIFilter?
  public private(set) var rate: AdvertisementRate

  public private(set) var model: PathLossModel
  private var offset: Double
  private var decay: Double

  /// A track that waits for its first sighting, which is about to come.
  public init(_ beacon: BeaconIdentity, settings: RangingSettings, at time: Instant) {
    self.beacon = beacon
    lastSeen = time
    rate = AdvertisementRate(from: time)
    (model, offset, decay) = Self.calibration(of: beacon, settings)
  }

  /// Goes on with other settings from its next sighting.
  public mutating func calibrate(_ settings: RangingSettings) {
    (model, offset, decay) = Self.calibration(of: beacon, settings)
  }

  public mutating func hear(_ sighting: Sighting) {
    lastSeen = sighting.time
    measuredPower = sighting.measuredPower
    adapter = sighting.adapter
    rate.count(at: sighting.time)
    if let rssi = sighting.rssi {
      if filter == nil {
        filter = RSSIFilter(rssi: rssi, at: sighting.time)
      } else {
        filter?.add(rssi: rssi, at: sighting.time, decay: decay)
      }
    }
    if let filter, PathLossModel.isPlausible(measuredPower: measuredPower) {
      distance = model.distance(rssi: filter.level + offset, referencePower: Double(measuredPower))
    } else {
      distance = nil
    }
    proximity = proximity.next(distance: distance)
  }

  private static func calibration(of beacon: BeaconIdentity, _ settings: RangingSettings) -> (PathLossModel, Double, Double) {
    (settings.model, settings.rssiOffset + (settings.beaconOffsets[beacon] ?? 0), settings.filterDecay)
  }
}
