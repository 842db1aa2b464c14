import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Records
import Regions
import Scoring
import Testing
import Venues

/// Scores of walks along a line, with beacon 1 at its start and beacon 2 at 20 m.
@Suite struct WalkScoreTests {
  static let uuid = BeaconUUID(high: 1, low: 2)
  static let positions = "minor,x_m,y_m,z_m\n1,0,0,0\n2,20,0,0\n"

  /// Returns the truth of a walk from `start` metres with `speed` metres a second.
  static func truth(seconds: Int, from start: Double = 1, speed: Double = 0) throws -> WalkTruth {
    try WalkTruth(
      csv: "unix_time_s,x_m,y_m,z_m\n" + (0...seconds).map { "\(100 + $0),\(start + speed * Double($0)),0,0\n" }.joined())
  }

  /// Returns ten sightings a second of each of these beacons.
  static func sightings(seconds: Int, rssi: [UInt16: Int8]) -> [Sighting] {
    (0..<10 * seconds).flatMap { tenth in
      rssi.sorted { $0.key < $1.key }.map { minor, rssi in
        Sighting(
          beacon: BeaconIdentity(uuid: uuid, major: 1, minor: minor), measuredPower: -59, rssi: rssi,
          time: Instant(microseconds: 100_000_000 + Int64(tenth) * 100_000))
      }
    }
  }

  func trial(seconds: Int = 20, from start: Double = 1, rssi: [UInt16: Int8]) throws -> WalkTrial {
    WalkTrial(
      Self.sightings(seconds: seconds, rssi: rssi), truth: try Self.truth(seconds: seconds, from: start),
      positions: try BeaconPositions(csv: Self.positions))
  }

  @Test func `a right nearest beacon counts once a second, and the first three seconds do not count`() throws {
    let right = try trial(rssi: [1: -59, 2: -80]).score()
    #expect(right.seconds == 18 && right.nearest == 1)
    let wrong = try trial(rssi: [1: -80, 2: -59]).score()
    #expect(wrong.nearest == 0)
  }

  @Test func `distances are compared with the truth, and short ones separately`() throws {
    // By path loss, −59 dBm is 1 m and −79 dBm is 10 m; beacon 2 is 19 m away.
    let score = try trial(rssi: [1: -59, 2: -79]).score(RangingSettings(method: .plain))
    #expect(score.distanceErrors.count == 36 && score.shortDistanceErrors.count == 18)
    #expect(abs(try #require(WalkScore.percentile(1, of: score.distanceErrors)) - 9) < 1e-9)
    #expect(try #require(WalkScore.percentile(1, of: score.shortDistanceErrors)) < 1e-9)
    // One sigma of 10 m is 5.8 m.
    #expect(score.withinOneSigma == 0.5 && score.withinTwoSigma == 1)
  }

  @Test func `a beacon that is never heard has missed visits and may be the nearest`() throws {
    let score = try trial(rssi: [2: -80]).score()
    #expect(score.nearest == 0)
    #expect(score.zones.zones == 2 && score.zones.trueCrossings == 1 && score.zones.recall == 0)
  }

  @Test func `a region around a beacon that is near is entered once, and one far away would be gross`() throws {
    let right = try trial(rssi: [1: -59, 2: -90]).score()
    #expect(right.zones.hits == 1 && right.zones.f1 == 1 && right.zones.falseEnters == 0)
    let wrong = try trial(rssi: [1: -90, 2: -59]).score()
    #expect(wrong.zones.hits == 0 && wrong.zones.falseEnters == 1 && wrong.zones.grossFalseEnters == 1)
    #expect(abs(wrong.zones.grossFalseEntersPerMinute - 3) < 1e-9)
    // At 4 m the visitor is neither inside nor beyond 4.5 m.
    let border = try trial(from: 4, rssi: [1: -59, 2: -90]).score()
    #expect(border.zones.falseEnters == 1 && border.zones.grossFalseEnters == 0)
  }

  @Test func `a reported crossing matches one true crossing of its kind within five seconds`() throws {
    let truth = try Self.truth(seconds: 40, from: 10, speed: -0.25)
    let positions = try BeaconPositions(csv: Self.positions)
    let zone = ScoredZone(identifier: "hall", beacons: [0], within: 3, leaveBeyond: 4.5)
    let distances = zone.distances(truth, positions)
    // The visitor is within 3 m from the 29th second on.
    #expect(zone.crossings(truth, distances) == [ZoneCrossing(isEnter: true, at: .init(microseconds: 129_000_000))])
    func score(_ seconds: [(Double, Bool)]) -> ZoneScore {
      var score = ZoneScore(span: .seconds(40))
      let reported = seconds.map { ZoneCrossing(isEnter: $0.1, at: Instant(microseconds: 0) + .seconds($0.0)) }
      score.add(zone, truth, distances, reported: reported)
      return score
    }
    #expect(score([(134, true)]).hits == 1 && score([(134, true)]).enterLatencies == [.seconds(5)])
    #expect(score([(134.1, true)]).hits == 0 && score([(134.1, true)]).falseEnters == 1)
    #expect(score([(128, true)]).enterLatencies == [.seconds(-1)])
    #expect(score([(129, false)]).hits == 0)
    let twice = score([(127, true), (130, false), (131, true)])
    #expect(twice.hits == 1 && twice.falseEnters == 1 && twice.grossFalseEnters == 0 && twice.reportedCrossings == 3)
    #expect(abs(try #require(twice.f1) - 0.5) < 1e-9)
    #expect(score([(105, true)]).grossFalseEnters == 1)
  }

  @Test func `a position on a wrong level counts where the true level is known, and not on stairs`() throws {
    let truth = try WalkTruth(
      csv: "unix_time_s,x_m,y_m,z_m,level\n100,0,0,0,0\n110,0,0,0,0\n120,0,0,4,1\n130,0,0,4,1\n140,0,0,4,\n150,0,0,4,1\n")
    func time(_ seconds: Double) -> Instant { Instant(microseconds: Int64(seconds * 1e6)) }
    #expect([99.0, 105, 110, 115, 120, 125, 135, 145, 151].map { truth.level(at: time($0)) } == [nil, 0, 0, nil, 1, 1, nil, nil, nil])
    var scorer = WalkScorer(truth, try BeaconPositions(csv: Self.positions), zones: [])
    for seconds in [105.0, 115, 125, 128, 145] { scorer.locate(x: 0, y: 0, accuracy: 1, level: 0, at: time(seconds)) }
    let score = scorer.finish()
    #expect(score.levels.count == 3 && score.levels.wrong == 2 && score.positionErrors.count == 5)
    #expect(score.record["levelSeconds"]?.number == 3 && score.record["wrongLevel"]?.number == 2.0 / 3)
  }

  @Test func `a place is entered at the edge of its area on its level, and left a metre beyond it`() throws {
    let area = try #require(PlanPolygon(from: PlanPoint(x: 4, y: -1), to: PlanPoint(x: 8, y: 1)))
    let venue = Venue(
      id: "hall", levels: [VenueLevel(id: "ground"), VenueLevel(id: "first", ordinal: 1)],
      places: [
        Place(id: "room", level: "ground", position: area.center, area: area),
        Place(id: "spot", level: "ground", position: PlanPoint(x: 6, y: 0)),
        Place(id: "above", level: "first", position: area.center, area: area),
      ])
    func crossings(_ part: VenueArea.Part) throws -> [Double] {
      let zone = try #require(ScoredZone(PlaceRegion(identifier: "r", area: VenueArea(part)), in: venue))
      // One metre a second from 0 to 20 m, on the ground floor.
      let csv = "unix_time_s,x_m,y_m,z_m,level\n" + (0...20).map { "\(100 + $0),\($0),0,0,0\n" }.joined()
      let truth = try WalkTruth(csv: csv)
      return zone.crossings(truth, zone.distances(truth, try BeaconPositions(csv: Self.positions))).map { ($0.time - truth.start).seconds }
    }
    #expect(try crossings(.place("room")) == [4, 10] || crossings(.place("room")) == [5, 10])
    #expect(try crossings(.place("spot")) == [3, 11])
    #expect(try crossings(.place("above")).isEmpty)
    #expect(try crossings(.level("ground")) == [0] && crossings(.level("first")).isEmpty)
    #expect(ScoredZone(PlaceRegion(identifier: "r", area: VenueArea(.place("attic"))), in: venue) == nil)
  }

  @Test func `an exit while the receiver stays within the leaving distance is a phantom`() throws {
    // From the 124th second on the receiver is within 4 m.
    let truth = try Self.truth(seconds: 40, from: 10, speed: -0.25)
    let positions = try BeaconPositions(csv: Self.positions)
    let zone = ScoredZone(identifier: "hall", beacons: [0], within: 3, leaveBeyond: 4.5)
    func score(_ second: Double) -> ZoneScore {
      var score = ZoneScore(span: .seconds(40))
      let exit = ZoneCrossing(isEnter: false, at: Instant(microseconds: 0) + .seconds(second))
      score.add(zone, truth, zone.distances(truth, positions), reported: [exit])
      return score
    }
    #expect(score(130).falseExits == 1 && score(130).phantomExits == 1)
    #expect(abs(score(130).phantomExitsPerMinute - 1.5) < 1e-9)
    // Five seconds before, the receiver was beyond 4.5 m.
    #expect(score(126).falseExits == 1 && score(126).phantomExits == 0)
  }

  @Test func `positions are compared in the plane, with the share within the accuracy`() throws {
    var scorer = WalkScorer(try Self.truth(seconds: 20), try BeaconPositions(csv: Self.positions), zones: [])
    let time = Instant(microseconds: 110_000_000)
    scorer.locate(x: 4, y: 4, accuracy: 5, at: time)
    scorer.locate(x: 1, y: 2, accuracy: 0.5, at: time)
    scorer.locate(x: 100, y: 2, accuracy: 0.5, at: Instant(microseconds: 102_000_000))
    let record = scorer.finish().record
    #expect(record["positionErrorMean"]?.number == 3.5)
    #expect(record["positionWithinAccuracy"]?.number == 0.5)
  }

  @Test func `pooled walks count as one`() throws {
    var total = try trial(rssi: [1: -59, 2: -80]).score()
    total += try trial(rssi: [1: -80, 2: -59]).score()
    #expect(total.walks == 2 && total.seconds == 36 && total.nearest == 0.5)
    #expect(total.zones.zones == 2 && total.zones.trueCrossings == 2)
  }

  @Test func `a walk without heard beacons at known positions is not meaningful`() throws {
    #expect(try trial(rssi: [1: -59]).isMeaningful)
    #expect(try !trial(rssi: [7: -59]).isMeaningful)
    let late = WalkTrial(
      Self.sightings(seconds: 2, rssi: [1: -59]), truth: try Self.truth(seconds: 20), positions: try BeaconPositions(csv: Self.positions))
    #expect(!late.isMeaningful)
  }

  @Test func `percentiles interpolate between ranks`() {
    #expect(WalkScore.percentile(0.5, of: [1, 4, 2, 3]) == 2.5)
    #expect(WalkScore.percentile(0.95, of: [0, 10]) == 9.5)
    #expect(WalkScore.percentile(0.5, of: []) == nil)
  }

  @Test func `regions of the config are scored by their own distances, and those of other UUIDs not`() throws {
    let regions = [
      BeaconRegion(
        identifier: "all", constraint: BeaconConstraint(uuid: Self.uuid), nearness: BeaconRegion.Nearness(within: 2)),
      BeaconRegion(identifier: "presence", constraint: BeaconConstraint(uuid: Self.uuid)),
      BeaconRegion(
        identifier: "elsewhere", constraint: BeaconConstraint(uuid: BeaconUUID(high: 9, low: 9)), nearness: BeaconRegion.Nearness(within: 2)
      ),
    ]
    let score = try trial(rssi: [1: -49, 2: -90]).score(regions: regions)
    #expect(score.zones.zones == 1 && score.zones.trueCrossings == 1 && score.zones.hits == 1)
  }
}
