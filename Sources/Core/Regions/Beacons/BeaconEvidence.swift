import BeaconAdvertising
import Instants
import Ranging

/// What was known about a beacon at the moment it decided something about a region.
///
/// Every region keeps one, so it is small, and what only people see is worked out when they look.
public struct BeaconEvidence: Hashable, Sendable {
  public let beacon: BeaconIdentity
  public let measuredPower: Int8
  public let proximity: BeaconProximity
  private let adapterNumber: UInt16
  public private(set) var lastSeen: Instant
  /// dBm; means something only with samples.
  private let level: Double
  /// Nil when unknown.
  public let distance: Distance?
  private let sampleCount: UInt32
  // For the accuracy: dB² of the samples, and the path loss model's slope. Single precision is enough for a sigma.
  private let variance: Float
  private let slope: Float

  @inline(__always)  // a part of every sighting
  init(_ track: BeaconTrack) {
    beacon = track.beacon
    measuredPower = track.measuredPower
    proximity = track.proximity
    adapterNumber = track.adapter
    lastSeen = track.lastSeen
    if let filter = track.filter {
      (level, variance, sampleCount) = (filter.level, Float(filter.variance), filter.samples)
    } else {
      (level, variance, sampleCount) = (0, .nan, 0)
    }
    slope = Float(track.model.slope)
    distance = track.distance
  }

  /// What was kept of a decision: the number of an adapter and the spread of the samples are gone with the process that knew them.
  public init(
    beacon: BeaconIdentity, measuredPower: Int8, proximity: BeaconProximity, lastSeen: Instant, rssi: Double?, samples: UInt32,
    distance: Distance?
  ) {
    self.beacon = beacon
    self.measuredPower = measuredPower
    self.proximity = proximity
    adapterNumber = Self.noAdapter
    self.lastSeen = lastSeen
    level = rssi ?? 0
    (variance, slope) = (.nan, .nan)
    sampleCount = rssi == nil ? 0 : max(1, samples)
    self.distance = distance
  }

  private static let noAdapter = UInt16.max

  /// The one that heard it best, nil when it is not known any more.
  public var adapter: UInt16? { adapterNumber == Self.noAdapter ? nil : adapterNumber }

  /// Filtered, in dBm; nil when the beacon was never heard with an RSSI.
  public var rssi: Double? { sampleCount > 0 ? level : nil }

  /// Sightings behind the filtered RSSI, nil with it.
  public var samples: UInt32? { sampleCount > 0 ? sampleCount : nil }

  /// One sigma of the distance in metres, nil when unknown.
  public var accuracy: Double? {
    guard let distance, !variance.isNaN else { return nil }
    return distance.accuracy(slope: Double(slope), deviation: RSSIFilter.deviation(variance: Double(variance), samples: sampleCount))
  }

  /// The same on another clock.
  func seen(at time: Instant) -> BeaconEvidence {
    var moved = self
    moved.lastSeen = time
    return moved
  }
}
