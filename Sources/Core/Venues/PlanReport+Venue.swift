extension Venue {
  /// Returns the venue and the level that a plan of a client draws, without what a plan does not contain, such as routes.
  public static func drawn(by plan: PlanReport) -> (Venue, VenueLevel) {
    var level = VenueLevel(id: plan.level ?? VenueLevel.defaultID, ordinal: Int(plan.floor ?? 0))
    level.walkable = (plan.walkable ?? []).compactMap { PlanPolygon(ring: PlanPoint.points(of: $0.points)) }
    level.voids = (plan.voids ?? []).compactMap { PlanPolygon(ring: PlanPoint.points(of: $0.points)) }
    var venue = Venue(id: plan.venue ?? "venue")
    venue.levels = [level]
    venue.walls = (plan.walls ?? []).compactMap { wall in
      let ends = PlanPoint.points(of: wall.points)
      guard ends.count == 2 else { return nil }
      return VenueWall(level: level.id, from: ends[0], to: ends[1], attenuation: wall.attenuation ?? 0)
    }
    venue.beacons = (plan.beacons ?? []).compactMap { beacon in
      guard let identity = beacon.identity, let x = beacon.x, let y = beacon.y else { return nil }
      return PlannedBeacon(
        identity: identity, level: level.id, position: PlanPoint(x: x, y: y), height: beacon.height, power: beacon.power, name: beacon.name)
    }
    return (venue, level)
  }
}

extension PlanPoint {
  fileprivate static func points(of reports: [PointReport]?) -> [PlanPoint] {
    (reports ?? []).compactMap { report in report.x.flatMap { x in report.y.map { PlanPoint(x: x, y: $0) } } }
  }
}
