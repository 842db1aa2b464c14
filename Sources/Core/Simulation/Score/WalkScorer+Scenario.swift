import Instants
import Regions
import Scoring
import Venues

extension WalkScorer {
  /// Compares the position of a scenario's device with the truth, as `beaconmon replay --score` does.
  ///
  /// Nil unless the scenario has a venue, and one visitor carries all receivers. Only the first stay of that visitor is compared.
  public init?(_ scenario: Scenario, seed: UInt64) {
    let scenario = scenario.walked(seed: seed)
    guard let venue = scenario.venue, let carrier = scenario.carrier, let height = scenario.receivers.first?.height,
      let truth = Self.truth(scenario, scenario.visitors[carrier], height: height)
    else { return nil }
    let beacons = scenario.beacons.compactMap { beacon in
      beacon.position.fixed.map { (identity: beacon.identity, position: $0.position(height: beacon.height)) }
    }
    guard !beacons.isEmpty else { return nil }
    let positions = BeaconPositions(beacons)
    let zones = scenario.regions.compactMap { region in
      region.placeRegion.flatMap { ScoredZone($0, in: venue) } ?? region.beaconRegion.flatMap { ScoredZone($0, positions) }
    }
    self.init(truth, positions, zones: zones)
  }

  /// The interval between true positions.
  private static let interval = Span.milliseconds(200)

  private static func truth(_ scenario: Scenario, _ path: VisitorPath, height: Double) -> WalkTruth? {
    var times: [Instant] = []
    var positions: [SIMD3<Double>] = []
    var storeys: [Double?] = []
    var time = path.waypoints[0].at
    while time <= scenario.duration, let place = path.location(at: time) {
      times.append(Scenario.start + time)
      positions.append(place.position(height: height))
      storeys.append(place.storey)
      time = time + interval
    }
    return WalkTruth(times: times, positions: positions, storeys: storeys)
  }
}

extension BuildingPoint {
  /// The point in metres, with the height above the ground floor.
  fileprivate func position(height: Double) -> SIMD3<Double> {
    SIMD3(point.x, point.y, storey * VenueLevel.storeyHeight + height)
  }
}
