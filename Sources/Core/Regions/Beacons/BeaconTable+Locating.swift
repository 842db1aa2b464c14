import Beacons
import Events
import Instants
import Ranging

// MARK: The indoor position

/// The regions that one estimate of the indoor position judges, by their slots.
struct LocatedRegions {
  /// The beacon of a region that is within the distance with the highest probability.
  fileprivate struct Best {
    var probability: Double
    var evidence: BeaconEvidence
    var metres: Double
  }

  fileprivate var best: [Int: Best] = [:]
}

extension BeaconTable {
  /// Weighs a beacon in every region that it belongs to and that requires a nearness of 2 m or more.
  ///
  /// - Parameters:
  ///   - metres: the median of the distance to the beacon.
  ///   - deviation: the standard deviation of its natural logarithm.
  ///   - probability: returns the probability that the beacon is closer than a distance in metres.
  mutating func weigh(
    _ heard: inout HeardBeacon, metres: Double, deviation: Double, at time: Instant, into regions: inout LocatedRegions,
    _ probability: (Double) -> Double
  ) {
    for index in heard.matches.indices {
      let slot = Int(heard.matches[index].slot)
      let region = slots[slot].watch.region
      guard region.followsPosition(by: heard.track.method), let nearness = region.nearness else { continue }
      _ = heard.matches[index].approach.change { $0.locatedUntil = time + RoomDecision.grace }
      let share = probability(slots[slot].watch.baseline == .inside ? nearness.leaveBeyond : nearness.within)
      // Of equally probable beacons, the nearest counts.
      if let best = regions.best[slot], (best.probability, -best.metres) >= (share, -metres) { continue }
      regions.best[slot] = LocatedRegions.Best(
        probability: share, evidence: BeaconEvidence(&heard.track, metres: metres, deviation: deviation), metres: metres)
    }
  }

  /// Decides about the regions of one estimate.
  mutating func decide(_ regions: LocatedRegions, at time: Instant, into transitions: inout [RegionTransition]) {
    let shortest = nearest.isNeeded ? nearestBeacons(of: regions) : [:]
    for (slot, best) in regions.best.sorted(by: { slots[$0.key].serial < slots[$1.key].serial }) {
      let region = slots[slot].watch.region
      var mayEnter = true
      if region.nearness?.isNearestOnly == true, let nearest = shortest[region.owner] {
        mayEnter = region.constraint.contains(nearest.beacon) || nearest.metres >= NearestBeacons.clearShare * best.metres
      }
      guard let step = slots[slot].watch.locate(best.probability, by: best.evidence, at: time, mayEnter: mayEnter, reception) else {
        continue
      }
      if case .changed(let change) = step {
        transitions.append(RegionTransition(slots[slot].watch, change, evidence: best.evidence, probability: best.probability))
      }
      schedule(slot)
    }
  }

  /// Returns the nearest beacon of each owner, for regions that only the nearest beacon enters.
  private func nearestBeacons(of regions: LocatedRegions) -> [RegionOwner: (beacon: BeaconIdentity, metres: Double)] {
    var result: [RegionOwner: (beacon: BeaconIdentity, metres: Double)] = [:]
    for (slot, best) in regions.best {
      let owner = slots[slot].watch.region.owner
      let (beacon, other) = (best.evidence.beacon, result[owner])
      guard other.map({ (best.metres, beacon) < ($0.metres, $0.beacon) }) ?? true else { continue }
      result[owner] = (beacon, best.metres)
    }
    return result
  }
}

extension BeaconRegion {
  /// Returns whether the indoor position decides about the region where there is one.
  ///
  /// The position is accurate to metres, not decimetres, so regions at touch distance follow the signal, as do those that require an RSSI.
  ///
  /// - Parameter method: the method of the settings.
  public func followsPosition(by method: DistanceMethod) -> Bool {
    guard let nearness, minimumRSSI == nil else { return false }
    return nearness.method(method) != .plain
  }
}
