extension BeaconConstraint {
  /// Returns whether every beacon of another constraint belongs to this one.
  public func contains(_ other: BeaconConstraint) -> Bool {
    uuid == other.uuid && (major == nil || major == other.major) && (minor == nil || minor == other.minor)
  }

  /// The maximum number of constraints that a session ranges.
  public static let mostPerSession = 16

  /// Returns constraints that select the beacons of regions and those of plans, as many as a session ranges.
  ///
  /// Beacons with more than `mostPerSession` UUIDs have a constraint for each UUID all the same.
  public static func ranged(regions: [BeaconConstraint], planned: [BeaconIdentity]) -> [BeaconConstraint] {
    widest(of: regions + planned.map { BeaconConstraint(uuid: $0.uuid, major: $0.major, minor: $0.minor) }, limit: mostPerSession)
  }

  /// Returns constraints that together select the same beacons, and of which none contains another one.
  ///
  /// - Parameter limit: the number above which the constraints of a UUID are replaced by the whole UUID.
  static func widest(of constraints: [BeaconConstraint], limit: Int) -> [BeaconConstraint] {
    var widest: [BeaconConstraint] = []
    for constraint in constraints where !widest.contains(where: { $0.contains(constraint) }) {
      widest.removeAll { constraint.contains($0) }
      widest.append(constraint)
    }
    guard widest.count > limit else { return widest }
    let uuids = widest.map(\.uuid)
    return uuids.enumerated().filter { uuids.firstIndex(of: $0.element) == $0.offset }.map { BeaconConstraint(uuid: $0.element) }
  }
}
