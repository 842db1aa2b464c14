import Beacons
import IndoorPositioning
import Proximity
import Ranging
import Regions
import Scoring
import TestSupport
import Testing
import Venues

/// The engine on the five shipped walks through a hall whose venue file places the beacons.
@Suite struct GalleryVenueTests {
  private static let walks = GalleryScoreTests.straight + GalleryScoreTests.rectangular

  /// The hall, without the cells that visitors cannot walk in unless it is mapped.
  static func hall(isMapped: Bool) throws -> Venue {
    let beacons = try rows("gallery.beacons.csv").map { row in
      let uuid = try BeaconUUID("8ec76ea3-6668-48da-9866-75be8bc86f4d")
      return PlannedBeacon(
        identity: BeaconIdentity(uuid: uuid, major: 1, minor: UInt16(row[0])), position: PlanPoint(x: row[1], y: row[2]), height: row[3])
    }
    let outline = try #require(PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 20.66, y: 17.64)))
    let blocked = isMapped ? try rows("gallery.walkable.csv").filter { $0[2] == 1 } : []
    let voids = blocked.compactMap { row in
      PlanPolygon(from: PlanPoint(x: row[0] - 0.2, y: row[1] - 0.2), to: PlanPoint(x: row[0] + 0.2, y: row[1] + 0.2))
    }
    return Venue(id: "gallery", levels: [VenueLevel(walkable: [outline], voids: voids)], beacons: beacons)
  }

  private static func rows(_ name: String) throws -> [[Double]] {
    try Fixture.text(name).split(separator: "\n").dropFirst().map { $0.split(separator: ",").map { Double($0) ?? .nan } }
  }

  private static func score(_ venue: Venue, isCalibrated: Bool = true) throws -> WalkScore {
    var series = WalkSeries(venues: [venue])
    for walk in walks { series.add(try GalleryScoreTests.trial(walk), RangingSettings(isCalibrated: isCalibrated)) }
    return try #require(series.score)
  }

  /// Limits of the positions of a score.
  private static func check(
    _ score: WalkScore, nearest: Double, median: Double, mean: Double, p95: Double, coverage: ClosedRange<Double> = 0.66...0.78
  ) throws {
    #expect(try #require(score.nearest) >= nearest, "\(score.record)")
    #expect(try #require(WalkScore.percentile(0.5, of: score.distanceErrors)) <= median, "\(score.record)")
    #expect(score.positionErrors.reduce(0, +) / Double(score.positionErrors.count) <= mean, "\(score.record)")
    #expect(try #require(WalkScore.percentile(0.95, of: score.positionErrors)) <= p95, "\(score.record)")
    #expect(coverage.contains(Double(score.coveredPositions.hits) / Double(score.coveredPositions.count)), "\(score.record)")
  }

  @Test func `with walkable cells, regions follow the position, with few false enters and hardly a phantom exit`() throws {
    let score = try Self.score(try Self.hall(isMapped: true))
    try Self.check(score, nearest: 0.68, median: 0.75, mean: 1.6, p95: 3.8)
    #expect(try #require(score.zones.f1) >= 0.62, "\(score.record)")
    #expect(score.zones.grossFalseEntersPerMinute <= 0.3, "\(score.record)")
    #expect(score.zones.phantomExitsPerMinute <= 0.25, "\(score.record)")
  }

  @Test func `the places of exhibits are entered and left when the visitor does, and never entered from far away`() throws {
    var venue = try Self.hall(isMapped: true)
    venue.places = venue.beacons.map {
      Place(id: "exhibit-\($0.identity.minor)", level: venue.levels[0].id, position: $0.position, radius: 3)
    }
    let regions = venue.places.map { PlaceRegion(identifier: $0.id, area: VenueArea(.place($0.id), venue: venue.id)) }
    var series = WalkSeries(places: regions, venues: [venue])
    for walk in Self.walks { series.add(try GalleryScoreTests.trial(walk), RangingSettings(isCalibrated: true)) }
    let score = try #require(series.score)
    #expect(score.zones.zones == 12)
    #expect(try #require(score.zones.f1) >= 0.6, "\(score.record)")
    #expect(score.zones.grossFalseEntersPerMinute <= 0.3, "\(score.record)")
    #expect(score.zones.phantomExitsPerMinute <= 0.25, "\(score.record)")
  }

  @Test func `beacon positions alone give better regions than the signal`() throws {
    let score = try Self.score(try Self.hall(isMapped: false))
    try Self.check(score, nearest: 0.64, median: 0.9, mean: 1.75, p95: 3.6)
    let signal = try GalleryScoreTests.score(Self.walks)
    #expect(try #require(score.zones.f1) > (try #require(signal.zones.f1)) + 0.05, "\(score.record)")
    #expect(score.zones.phantomExits <= signal.zones.phantomExits, "\(score.record)")
  }

  @Test func `a receiver of unknown level that walks from one capture to the next is never worse than the signal`() throws {
    let score = try Self.score(try Self.hall(isMapped: true), isCalibrated: false)
    // The level is learned on the way, which costs half a metre.
    try Self.check(score, nearest: 0.64, median: 1.05, mean: 2.1, p95: 4.8)
    let signal = try GalleryScoreTests.score(Self.walks)
    #expect(try #require(score.zones.f1) > (try #require(signal.zones.f1)) + 0.05, "\(score.record)")
    #expect(score.zones.grossFalseEnters <= signal.zones.grossFalseEnters, "\(score.record)")
    #expect(score.zones.phantomExits <= signal.zones.phantomExits + 1, "\(score.record)")
  }

  @Test func `a walk continues with the offsets of the walks before it`() throws {
    let (venue, settings) = (try Self.hall(isMapped: true), RangingSettings())
    var series = WalkSeries(venues: [venue])
    #expect(series.score == nil)
    var learned: [String: [UInt16: LearnedRadio]] = [:]
    var total: WalkScore?
    for walk in Self.walks.prefix(2) {
      let trial = try GalleryScoreTests.trial(walk)
      series.add(trial, settings)
      let score = trial.score(settings, venues: [venue], learned: &learned)
      if total == nil { total = score } else { total? += score }
    }
    let apart = try GalleryScoreTests.trial(Self.walks[1]).score(settings, venues: [venue])
    var first = try GalleryScoreTests.trial(Self.walks[0]).score(settings, venues: [venue])
    first += apart
    let levels = series.score?.receiverLevels ?? []
    total?.receiverLevels = levels
    first.receiverLevels = levels
    #expect(series.score?.record == total?.record && series.score?.record != first.record)
  }

  @Test func `a series without any region scores each beacon as one, and a config with only a venue's regions does not`() throws {
    let venue = try Self.hall(isMapped: true)
    let trial = try GalleryScoreTests.trial(Self.walks[0])
    var (each, none) = (
      WalkSeries(venues: [venue]),
      WalkSeries(places: [PlaceRegion(identifier: "hall", area: VenueArea(.whole, venue: "gallery"))], venues: [venue])
    )
    each.add(trial, RangingSettings())
    none.add(trial, RangingSettings())
    #expect(try #require(each.score).zones.zones == 12)
    #expect(try #require(none.score).zones.zones < 12)
  }

  @Test(arguments: [-6.0, 6]) func `a receiver whose declared level is wrong by 6 dB errs by 2 m once it has walked`(level: Double) throws {
    // The declaration is refuted on the way, and kept from one capture to the next.
    var settings = RangingSettings(isCalibrated: true)
    settings.rssiOffset = level
    let venue = try Self.hall(isMapped: true)
    var learned: [String: [UInt16: LearnedRadio]] = [:]
    for walk in Self.walks { _ = try GalleryScoreTests.trial(walk).score(settings, venues: [venue], learned: &learned) }
    #expect(learned["gallery"]?.values.allSatisfy { $0.isDistrusted } == true)
    var total: WalkScore?
    for walk in Self.walks {
      let score = try GalleryScoreTests.trial(walk).score(settings, venues: [venue], learned: &learned)
      if total == nil { total = score } else { total? += score }
    }
    try Self.check(try #require(total), nearest: 0.6, median: 1.2, mean: 2.1, p95: 4.8, coverage: 0.6...0.8)
  }

  @Test func `learned offsets bring the distances without a position nearer to the truth`() throws {
    let venue = try Self.hall(isMapped: true)
    let settings = RangingSettings(isCalibrated: true)
    var learned: [String: [UInt16: LearnedRadio]] = [:]
    for walk in GalleryScoreTests.straight { _ = try GalleryScoreTests.trial(walk).score(settings, venues: [venue], learned: &learned) }
    let receptions = VenueTracker([venue], ranging: settings, learned: learned).receptions
    #expect(receptions.count == 12)
    var total: WalkScore?
    for walk in Self.walks {
      let score = try GalleryScoreTests.trial(walk).score(receptions: receptions)
      if total == nil { total = score } else { total? += score }
    }
    let score = try #require(total)
    #expect(try #require(score.nearest) >= 0.58, "\(score.record)")
    #expect(try #require(WalkScore.percentile(0.5, of: score.distanceErrors)) <= 1.9, "\(score.record)")
    #expect(score.zones.grossFalseEntersPerMinute <= 0.2, "\(score.record)")
    #expect(try #require(score.zones.f1) >= 0.40, "\(score.record)")
  }
}
