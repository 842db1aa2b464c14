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
  /// The distance by path loss alone, by the indoor position, or the saved estimate; `nil` if unknown.
  private var basis: Distance?
  private let method: DistanceMethod
  private let sampleCount: UInt32
  // The variance of the level in dB² and the path loss model's slope, for the estimate. Single precision is enough for a sigma.
  // The variance of saved evidence is unknown.
  private var levelVariance: Float
  private var slope: Float

  /// - Parameters:
  ///   - track: passed by reference, because a copy of it costs more than the evidence. It does not change.
  ///   - method: the method of the distance.
  @inline(__always)  // a part of every sighting
  init(_ track: inout BeaconTrack, by method: DistanceMethod) {
    self.init(&track, by: method, track.distance)
    if method != .plain, !track.receptions.isEmpty { learn(track.basis(method), track.filter) }
  }

  /// Creates evidence with the distance that the indoor position gives.
  ///
  /// - Parameters:
  ///   - metres: the median of the distance.
  ///   - deviation: the standard deviation of the natural logarithm of the distance.
  init(_ track: inout BeaconTrack, metres: Double, deviation: Double) {
    self.init(&track, by: .indoor, metres > 0 ? Distance(metres: metres) : nil)
    (levelVariance, slope) = (Float(deviation * deviation), 1)
  }

  /// Takes the distance and its uncertainty from what a venue has learned.
  @inline(never)  // few beacons hang in a venue, and the caller is a part of every sighting
  private mutating func learn(_ learned: BeaconTrack.Basis?, _ filter: RSSIFilter?) {
    basis = learned?.distance
    guard let learned, let filter else { return }
    (levelVariance, slope) = (Float(learned.levelVariance(filter)), Float(learned.slope))
  }

  @inline(__always)  // a part of every sighting
  private init(_ track: inout BeaconTrack, by method: DistanceMethod, _ distance: Distance?) {
    beacon = track.beacon
    measuredPower = track.measuredPower
    proximity = track.proximity
    adapterNumber = track.adapter
    lastSeen = track.lastSeen
    if let filter = track.filter {
      (level, levelVariance, sampleCount) = (filter.level, Float(track.levelVariance(filter, method)), filter.samples)
    } else {
      (level, levelVariance, sampleCount) = (0, .nan, 0)
    }
    slope = Float(track.model.slope)
    self.method = method
    basis = distance
  }

  /// Creates evidence from saved values.
  /// The number of the adapter and the spread of the samples are unknown after a restart.
  public init(
    beacon: BeaconIdentity, measuredPower: Int8, proximity: BeaconProximity, lastSeen: Instant, rssi: Double?, samples: UInt32,
    distance: Distance?, method: DistanceMethod
  ) {
    self.beacon = beacon
    self.measuredPower = measuredPower
    self.proximity = proximity
    adapterNumber = Self.noAdapter
    self.lastSeen = lastSeen
    level = rssi ?? 0
    (levelVariance, slope) = (.nan, .nan)
    sampleCount = rssi == nil ? 0 : max(1, samples)
    self.method = method
    basis = distance
  }

  private static let noAdapter = UInt16.max

  /// The adapter with the best reception of the beacon; `nil` if it is not known any more.
  public var adapter: UInt16? { adapterNumber == Self.noAdapter ? nil : adapterNumber }

  /// The filtered RSSI in dBm; `nil` if the beacon was never heard with an RSSI.
  public var rssi: Double? { sampleCount > 0 ? level : nil }

  /// The number of sightings behind the filtered RSSI; `nil` without an RSSI.
  public var samples: UInt32? { sampleCount > 0 ? sampleCount : nil }

  /// The distance by the method that decided, computed on demand; `nil` if unknown. A saved one has no accuracy.
  public var estimate: DistanceEstimate? {
    guard let basis else { return nil }
    guard !levelVariance.isNaN else { return DistanceEstimate(saved: basis, method: method) }
    return DistanceEstimate(basis, levelVariance: Double(levelVariance), slope: Double(slope), method: method)
  }

  /// Returns a copy with `lastSeen` on another clock.
  func seen(at time: Instant) -> BeaconEvidence {
    var moved = self
    moved.lastSeen = time
    return moved
  }
}
