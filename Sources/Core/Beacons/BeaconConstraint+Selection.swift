extension BeaconConstraint {
  /// Returns whether every beacon of another constraint belongs to this one.
  public func contains(_ other: BeaconConstraint) -> Bool {
    uuid == other.uuid && (major == nil || major == other.major) && (minor == nil || minor == other.minor)
  }

  /// Returns constraints that together select the same beacons, and of which none contains another one.
  ///
  /// - Parameter limit: the number above which the constraints of a UUID are replaced by the whole UUID.
  public static func widest(of constraints: [BeaconConstraint], limit: Int) -> [BeaconConstraint] {
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
