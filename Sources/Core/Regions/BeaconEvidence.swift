import BeaconAdvertising
import Instants
import Ranging

/// What was known about a beacon at the moment it decided something about a region.
public struct BeaconEvidence: Hashable, Sendable {
  public let beacon: BeaconIdentity
  public let measuredPower: Int8
  public let adapter: UInt16
  public let proximity: BeaconProximity
  public let lastSeen: Instant
  /// Nil when unknown.
  public let distance: Distance?
  /// Nil when the beacon was never heard with an RSSI.
  public let filter: RSSIFilter?

  private let model: PathLossModel

  init(_ track: BeaconTrack) {
    beacon = track.beacon
    measuredPower = track.measuredPower
    adapter = track.adapter
    proximity = track.proximity
    lastSeen = track.lastSeen
    distance = track.distance
    filter = track.filter
    model = track.model
  }

  /// One sigma of the distance in metres, nil with it.
  public var accuracy: Double? { model.accuracy(of: distance, filter: filter) }
}
