import Beacons

/// The way in which beacons and places become regions.
enum Grouping: Hashable, Sendable {
  case eachBeacon
  case eachMajor
  case eachUUID
  case eachPlace
}

/// A region that setup offers.
struct RegionCandidate: Hashable {
  var area: SetupPlan.Region.Area
  var name: String
  /// The beacon or the beacons for a reader: `1/5`.
  var label: String
  /// dBm of the strongest beacon; nil for a place, or if it is unknown.
  var rssi: Double?
}

extension SetupSurroundings {
  /// Returns the regions that the config does not have yet.
  ///
  /// - Parameter venue: names the beacons that stand for its places.
  func candidates(_ grouping: Grouping, of uuids: [BeaconUUID], at venue: SetupVenue?) -> [RegionCandidate] {
    let chosen = beacons.filter { uuids.contains($0.identity.uuid) }
    let candidates: [RegionCandidate]
    switch grouping {
    case .eachPlace:
      candidates = (venue?.places ?? []).map { RegionCandidate(area: .place($0), name: $0, label: $0) }
    case .eachUUID:
      candidates = uuids.enumerated().map { number, uuid in
        let own = chosen.filter { $0.identity.uuid == uuid }
        let name = uuids.count > 1 ? "beacons-\(number + 1)" : venue?.id ?? "beacons"
        return RegionCandidate(
          area: .beacons(BeaconConstraint(uuid: uuid)), name: name, label: "\(uuid)", rssi: own.compactMap(\.rssi).max())
      }
    case .eachMajor:
      let majors = Dictionary(grouping: chosen) { BeaconConstraint(uuid: $0.identity.uuid, major: $0.identity.major) }
      candidates = uuids.flatMap { uuid in
        majors.filter { $0.key.uuid == uuid }.sorted { ($0.key.major ?? 0) < ($1.key.major ?? 0) }.map { constraint, own in
          let major = constraint.major ?? 0
          return RegionCandidate(
            area: .beacons(constraint), name: "major-\(major)", label: "\(major)", rssi: own.compactMap(\.rssi).max())
        }
      }
    case .eachBeacon:
      candidates = chosen.map { beacon in
        let identity = beacon.identity
        return RegionCandidate(
          area: .beacons(BeaconConstraint(uuid: identity.uuid, major: identity.major, minor: identity.minor)),
          name: beacon.name ?? venue?.beacons[identity] ?? "beacon-\(identity.major)-\(identity.minor)",
          label: "\(identity.major)/\(identity.minor)", rssi: beacon.rssi)
      }
    }
    return distinct(candidates.filter { !isPresent($0.area) })
  }

  private func isPresent(_ area: SetupPlan.Region.Area) -> Bool {
    switch area {
    case .beacons(let constraint): present.constraints.contains(constraint)
    case .place(let place): present.places.contains(place)
    }
  }

  /// Returns the candidates with names that no other region has.
  private func distinct(_ candidates: [RegionCandidate]) -> [RegionCandidate] {
    var taken = present.regionNames
    return candidates.map { candidate in
      var candidate = candidate
      let base = candidate.name
      var number = 2
      while !taken.insert(candidate.name).inserted {
        candidate.name = "\(base)-\(number)"
        number += 1
      }
      return candidate
    }
  }
}
