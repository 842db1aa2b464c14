import BeaconAdvertising
import Beacons
import Instants
import Proximity
import Ranging
import Regions
import Scoring
import TestSupport
import Testing

/// The engine on the five shipped walks, compared with the true positions and with a reference in Python.
///
/// The reference weighs samples by number and not by the time before them, never forgets a beacon, and decides about zones once a second.
/// Its figures for the same walks thus differ a little: the tolerances are those within which differences mean nothing on so few walks.
@Suite struct GalleryScoreTests {
  static let straight = ["straight_01", "straight_02", "straight_03", "straight_04"]
  static let rectangular = ["rectangular_without_rotation"]

  /// The figures of a method in the reference.
  struct Reference: Sendable {
    let walks: [String]
    let method: DistanceMethod
    let nearest: Double
    let median: Double
    let p95: Double
    let short: Double
    let sigmas: (one: Double, two: Double)
  }

  @Test(
    arguments: [
      Reference(
        walks: straight, method: .plain, nearest: 0.552, median: 2.860, p95: 9.815, short: 0.967, sigmas: (0.642, 0.869)),
      Reference(
        walks: rectangular, method: .plain, nearest: 0.481, median: 2.644, p95: 7.862, short: 1.234, sigmas: (0.672, 0.889)),
      Reference(
        walks: straight, method: .bayesian, nearest: 0.552, median: 2.954, p95: 8.997, short: 0.772, sigmas: (0.642, 0.921)),
      Reference(
        walks: rectangular, method: .bayesian, nearest: 0.481, median: 2.410, p95: 7.434, short: 0.970, sigmas: (0.707, 0.942)),
    ])
  func `distances, the nearest beacon and coverage agree with the reference`(reference: Reference) throws {
    let score = try Self.score(reference.walks, RangingSettings(method: reference.method))
    #expect(abs(try #require(score.nearest) - reference.nearest) < 0.02)
    #expect(abs(try #require(WalkScore.percentile(0.5, of: score.distanceErrors)) - reference.median) < 0.1)
    // The reference keeps the last distance of a beacon that is out of range.
    #expect(abs(try #require(WalkScore.percentile(0.95, of: score.distanceErrors)) - reference.p95) < 0.4)
    #expect(abs(try #require(WalkScore.percentile(0.5, of: score.shortDistanceErrors)) - reference.short) < 0.05)
    #expect(abs(try #require(score.withinOneSigma) - reference.sigmas.one) < 0.02)
    #expect(abs(try #require(score.withinTwoSigma) - reference.sigmas.two) < 0.02)
  }

  @Test func `zones that follow plain distances once a second score as in the reference`() throws {
    var total: ZoneScore?
    for walk in Self.straight + Self.rectangular {
      let score = try Self.zonesOncePerSecond(walk)
      if total == nil { total = score } else { total? += score }
    }
    let score = try #require(total)
    #expect(score.trueCrossings == 39)
    // The reference's score of distances by our filter, which limits a sample to a step of 10 dB.
    #expect(abs(try #require(score.precision) - 0.292) < 0.01)
    #expect(abs(try #require(score.recall) - 0.538) < 0.03)
    #expect(abs(try #require(score.f1) - 0.378) < 0.02)
    #expect(abs(score.falseEntersPerMinute - 6.06) < 0.25)
    #expect(abs(score.grossFalseEntersPerMinute - 2.02) < 0.25)
    // The reference's own filter has no such limit, and finds four more of the 39 crossings.
    #expect(abs(try #require(score.precision) - 0.316) < 0.03)
    #expect(abs(try #require(score.recall) - 0.641) < 0.11)
    #expect(abs(score.falseEntersPerMinute - 6.06) < 0.25)
    #expect(abs(score.grossFalseEntersPerMinute - 2.24) < 0.25)
    let latencies = score.enterLatencies.map(\.seconds)
    #expect(abs(try #require(WalkScore.percentile(0.5, of: latencies)) - 0.1) < 1)
  }

  @Test func `with a prior, few enters are far from the truth, and distances within a room are right to a metre`() throws {
    let score = try Self.score(Self.straight + Self.rectangular)
    #expect(try #require(score.nearest) >= 0.50)
    #expect(try #require(WalkScore.percentile(0.5, of: score.shortDistanceErrors)) <= 1)
    #expect((0.64...0.75).contains(try #require(score.withinOneSigma)))
    #expect(score.zones.zones == 12)
    #expect(score.zones.grossFalseEntersPerMinute <= 0.8)
    #expect(try #require(score.zones.f1) >= 0.40)
    #expect(score.zones.phantomExitsPerMinute <= 0.3)
  }

  @Test func `the prior brings distances within 5 m nearer to the truth, and halves gross false enters`() throws {
    let walks = Self.straight + Self.rectangular
    let (plain, bayesian) = (try Self.score(walks, RangingSettings(method: .plain)), try Self.score(walks))
    let (before, after) = (
      try #require(WalkScore.percentile(0.5, of: plain.shortDistanceErrors)),
      try #require(WalkScore.percentile(0.5, of: bayesian.shortDistanceErrors))
    )
    #expect(after < before - 0.15)
    #expect(bayesian.zones.grossFalseEnters < plain.zones.grossFalseEnters)
    #expect(try #require(bayesian.zones.f1) >= (try #require(plain.zones.f1)) - 0.01)
    // Only beacons with few samples change places.
    #expect(abs(try #require(bayesian.nearest) - (try #require(plain.nearest))) < 0.02)
  }
}

extension GalleryScoreTests {
  static func trial(_ walk: String) throws -> WalkTrial {
    let octets = try Fixture.octets("gallery-\(walk).btsnoop")
    var decoder = CaptureDecoder()
    var sightings: [Sighting] = []
    try decoder.decode(octets.span.bytes, into: &sightings)
    let truth = try WalkTruth(csv: try Fixture.text("gallery-\(walk).truth.csv"))
    return WalkTrial(sightings, truth: truth, positions: try positions)
  }

  static var positions: BeaconPositions {
    get throws { try BeaconPositions(csv: try Fixture.text("gallery.beacons.csv")) }
  }

  static func score(_ walks: [String], _ settings: RangingSettings = RangingSettings()) throws -> WalkScore {
    var total = try trial(walks[0]).score(settings)
    for walk in walks.dropFirst() { total += try trial(walk).score(settings) }
    return total
  }

  /// Returns the score of zones of 3 and 4.5 m that follow the reported distances without a hold, as the reference's do.
  private static func zonesOncePerSecond(_ walk: String) throws -> ZoneScore {
    let octets = try Fixture.octets("gallery-\(walk).btsnoop")
    var decoder = CaptureDecoder()
    var sightings: [Sighting] = []
    try decoder.decode(octets.span.bytes, into: &sightings)
    let first = try #require(sightings.first)
    let constraint = BeaconConstraint(uuid: first.beacon.uuid)
    var engine = ProximityEngine(settings: EngineSettings(ranging: RangingSettings(method: .plain)), at: first.time)
    engine.startRanging(constraint)
    var driver = EngineDriver(engine: engine)
    let truth = try WalkTruth(csv: try Fixture.text("gallery-\(walk).truth.csv"))
    let positions = try positions
    var crossings = positions.entries.map { _ in [ZoneCrossing]() }
    for case .snapshots(let snapshots, let time) in driver.step(sightings, through: truth.end) {
      let beacons = snapshots[constraint] ?? []
      for index in positions.entries.indices {
        let distance = beacons.first { positions.index(of: $0.beacon) == index }?.distance
        let isInside = crossings[index].last?.isEnter ?? false
        if isInside ? distance.map({ $0 > 4.5 }) ?? false : distance.map({ $0 < 3 }) ?? false {
          crossings[index].append(ZoneCrossing(isEnter: !isInside, at: time))
        }
      }
    }
    var score = ZoneScore(span: truth.end - truth.start)
    for (index, reported) in crossings.enumerated() {
      let zone = ScoredZone(identifier: "\(index)", beacons: [index], within: 3, leaveBeyond: 4.5)
      score.add(zone, truth, zone.distances(truth, positions), reported: reported)
    }
    return score
  }
}
