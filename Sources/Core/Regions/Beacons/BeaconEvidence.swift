import BeaconAdvertising
import Beacons
import Instants
import Ranging

/// The measurements of a beacon when it decided the state of a region.
///
/// Every region keeps one, so it is small; values that only people read are computed on demand.
public struct BeaconEvidence: Hashable, Sendable {
  public let beacon: BeaconIdentity
  public let measuredPower: Int8
  public let proximity: BeaconProximity
  private let adapterNumber: UInt16
  public private(set) var lastSeen: Instant
  /// The filtered RSSI in dBm; valid only with samples.
  private let level: Double
  /// The distance; `nil` if unknown.
  public let distance: Distance?
  private let sampleCount: UInt32
  // The variance of the samples in dB² and the path loss model's slope, for the accuracy. Single precision is enough for a sigma.
  private let variance: Float
  private let slope: Float

  /// - Parameter track: passed by reference, because a copy of it costs more than the evidence. It does not change.
  @inline(__always)  // a part of every sighting
  init(_ track: inout BeaconTrack) {
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

  /// Creates evidence from saved values.
  /// The number of the adapter and the spread of the samples are unknown after a restart.
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

  /// The adapter with the best reception of the beacon; `nil` if it is not known any more.
  public var adapter: UInt16? { adapterNumber == Self.noAdapter ? nil : adapterNumber }

  /// The filtered RSSI in dBm; `nil` if the beacon was never heard with an RSSI.
  public var rssi: Double? { sampleCount > 0 ? level : nil }

  /// The number of sightings behind the filtered RSSI; `nil` without an RSSI.
  public var samples: UInt32? { sampleCount > 0 ? sampleCount : nil }

  /// One sigma of the distance in metres; `nil` if unknown.
  public var accuracy: Double? {
    guard let distance, !variance.isNaN else { return nil }
    return distance.accuracy(slope: Double(slope), deviation: RSSIFilter.deviation(variance: Double(variance), samples: sampleCount))
  }

  /// Returns a copy with `lastSeen` on another clock.
  func seen(at time: Instant) -> BeaconEvidence {
    var moved = self
    moved.lastSeen = time
    return moved
  }
}
