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
  private let basis: Distance?
  private let method: DistanceMethod
  private let sampleCount: UInt32
  // The variance of the level in dB² and the path loss model's slope, for the estimate. Single precision is enough for a sigma.
  // The variance of saved evidence is unknown.
  private let levelVariance: Float
  private let slope: Float

  /// - Parameters:
  ///   - track: passed by reference, because a copy of it costs more than the evidence. It does not change.
  ///   - method: the method of the distance.
  @inline(__always)  // a part of every sighting
  init(_ track: inout BeaconTrack, by method: DistanceMethod) {
    let hasLearned = method != .plain && !track.receptions.isEmpty
    self.init(&track, by: method, hasLearned ? Measure(learned: &track, by: method) : Measure(&track, by: method))
  }

  /// Creates evidence with the distance that the indoor position gives.
  ///
  /// - Parameters:
  ///   - metres: the median of the distance.
  ///   - deviation: the standard deviation of the natural logarithm of the distance.
  init(_ track: inout BeaconTrack, metres: Double, deviation: Double) {
    let distance = metres > 0 ? Distance(metres: metres) : nil
    self.init(&track, by: .indoor, Measure(distance: distance, levelVariance: Float(deviation * deviation), slope: 1))
  }

  @inline(__always)  // a part of every sighting
  private init(_ track: inout BeaconTrack, by method: DistanceMethod, _ measure: Measure) {
    beacon = track.beacon
    measuredPower = track.measuredPower
    proximity = track.proximity
    adapterNumber = track.adapter
    lastSeen = track.lastSeen
    (level, sampleCount) = track.filter.map { ($0.level, $0.samples) } ?? (0, 0)
    (levelVariance, slope) = (measure.levelVariance, measure.slope)
    self.method = method
    basis = measure.distance
  }

  /// A distance and its uncertainty, apart from the evidence, so that all of it is written once.
  private struct Measure {
    var distance: Distance?
    var levelVariance: Float
    var slope: Float

    init(distance: Distance?, levelVariance: Float, slope: Float) {
      (self.distance, self.levelVariance, self.slope) = (distance, levelVariance, slope)
    }

    @inline(__always)  // a part of every sighting
    init(_ track: inout BeaconTrack, by method: DistanceMethod) {
      let variance = track.filter.map { Float(track.levelVariance($0, method)) }
      self.init(distance: track.distance, levelVariance: variance ?? .nan, slope: Float(track.model.slope))
    }

    /// Takes the distance and its uncertainty from what a venue has learned.
    @inline(never)  // few beacons hang in a venue
    init(learned track: inout BeaconTrack, by method: DistanceMethod) {
      self.init(&track, by: method)
      let basis = track.basis(method)
      distance = basis?.distance
      guard let basis, let filter = track.filter else { return }
      (levelVariance, slope) = (Float(basis.levelVariance(filter)), Float(basis.slope))
    }
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
