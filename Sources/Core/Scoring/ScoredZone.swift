import Instants
import Regions

/// A region with `within` whose events are compared with the true distances to its beacons.
public struct ScoredZone: Sendable {
  public let identifier: String
  /// The indices of its beacons among the positions.
  public let beacons: [Int]
  public let within: Double
  public let leaveBeyond: Double

  /// Creates the zone of a region; `nil` if the region has no `within` or none of the positions.
  public init?(_ region: BeaconRegion, _ positions: BeaconPositions) {
    guard let nearness = region.nearness else { return nil }
    let beacons = positions.entries.indices.filter { positions.entries[$0].mayMatch(region.constraint) }
    guard !beacons.isEmpty else { return nil }
    self.init(identifier: region.identifier, beacons: beacons, within: nearness.within, leaveBeyond: nearness.leaveBeyond)
  }

  /// - Parameters:
  ///   - beacons: the indices of its beacons among the positions, at least one.
  ///   - within: the true distance in metres below which the receiver enters.
  ///   - leaveBeyond: the true distance in metres beyond which it leaves.
  public init(identifier: String, beacons: [Int], within: Double, leaveBeyond: Double) {
    (self.identifier, self.beacons) = (identifier, beacons)
    (self.within, self.leaveBeyond) = (within, leaveBeyond)
  }
}

/// An enter or an exit.
public struct ZoneCrossing: Hashable, Sendable {
  public let isEnter: Bool
  public let time: Instant

  public init(isEnter: Bool, at time: Instant) {
    (self.isEnter, self.time) = (isEnter, time)
  }
}

extension ScoredZone {
  /// Returns the true distance to the nearest of its beacons at each true position.
  public func distances(_ truth: WalkTruth, _ positions: BeaconPositions) -> [Double] {
    truth.positions.map { place in beacons.map { positions.entries[$0].position.distance(to: place) }.min() ?? .infinity }
  }

  /// Returns the crossings of a receiver at these true distances, which begins outside.
  public func crossings(_ truth: WalkTruth, _ distances: [Double]) -> [ZoneCrossing] {
    var isInside = false
    var crossings: [ZoneCrossing] = []
    for (time, distance) in zip(truth.times, distances) where isInside ? distance > leaveBeyond : distance < within {
      isInside.toggle()
      crossings.append(ZoneCrossing(isEnter: isInside, at: time))
    }
    return crossings
  }
}
