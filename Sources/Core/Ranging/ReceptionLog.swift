import BeaconAdvertising
import Beacons
import Instants

/// The gaps between the advertisements of the beacons that are ranged.
public struct ReceptionLog: Sendable {
  /// The number of beacons that are kept; the values of further ones stay unknown.
  static let capacity = 1024

  private var gaps: [BeaconIdentity: AdvertisementGaps] = [:]
  /// A time before which no beacon is gone, so that `meet` does not search for one.
  private var fullUntil: Instant?

  public init() {}

  /// Applies a sighting, which counts as heard at `now`; `now` must not run backward.
  public mutating func hear(_ beacon: BeaconIdentity, at now: Instant) {
    if gaps[beacon]?.hear(at: now) == nil { meet(beacon, at: now) }
  }

  /// The interval and the loss of a beacon; nil if they are unknown.
  public func reception(of beacon: BeaconIdentity) -> BeaconReception? { gaps[beacon]?.reception }

  private mutating func meet(_ beacon: BeaconIdentity, at now: Instant) {
    if gaps.count >= Self.capacity, fullUntil.map({ now >= $0 }) ?? true {
      gaps = gaps.filter { now - $0.value.last < RangedBeacon.goneAfter }
      fullUntil = gaps.values.map(\.last).min().map { $0 + RangedBeacon.goneAfter }
    }
    if gaps.count < Self.capacity { gaps[beacon] = AdvertisementGaps(from: now) }
  }
}
