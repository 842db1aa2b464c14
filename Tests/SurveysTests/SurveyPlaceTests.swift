import BeaconAdvertising
import Beacons
import Instants
import Records
import Scoring
import Seeds
import Surveys
import Testing
import Venues

/// Measured places of a hall with six beacons.
@Suite struct SurveyPlaceTests {
  private static let spots = [(2.0, 2.0), (10, 2), (18, 2), (2, 14), (10, 14), (18, 14)]

  private static var hall: Venue {
    let floor = PlanPolygon(ring: [PlanPoint(x: 0, y: 0), PlanPoint(x: 20, y: 0), PlanPoint(x: 20, y: 16), PlanPoint(x: 0, y: 16)])
    return Venue(
      id: "hall", levels: [VenueLevel(walkable: [floor].compactMap(\.self))],
      beacons: spots.enumerated().map { index, spot in
        PlannedBeacon(identity: SurveyScene.beacon(UInt16(index + 1)), position: PlanPoint(x: spot.0, y: spot.1), height: 2.5)
      },
      places: [Place(id: "desk", position: PlanPoint(x: 10, y: 8))])
  }

  /// Returns a survey that stands for ten seconds at each of the places.
  ///
  /// - Parameters:
  ///   - moved: the true position of the fourth beacon.
  ///   - powers: the true RSSI at 1 m of a beacon, −59 dBm for the others.
  private static func survey(
    _ venue: Venue = hall, at places: [PlanPoint], moved: PlanPoint? = nil, powers: [UInt16: Double] = [:], seed: UInt64 = 1
  ) -> Survey {
    var survey = Survey(venue: venue)
    var random = SeededGenerator(seed: seed)
    for (number, place) in places.enumerated() {
      // Fading is the same for all packets at one place.
      let fading = spots.map { _ in 4 * random.normal() }
      for tick in 0..<40 {
        let time = SurveyScene.start + .milliseconds(Int64(20_000 * number + 250 * tick))
        let sightings = spots.enumerated().map { index, spot in
          let minor = UInt16(index + 1)
          let point = minor == 4 ? moved ?? PlanPoint(x: spot.0, y: spot.1) : PlanPoint(x: spot.0, y: spot.1)
          let distance = (place.distance(to: point) * place.distance(to: point) + 1).squareRoot()
          let level = (powers[minor] ?? -59) - 20 * Self.logarithm(distance) + fading[index] + 3 * random.normal()
          return Sighting(beacon: SurveyScene.beacon(minor), measuredPower: -59, rssi: Int8(level.rounded()), time: time)
        }
        survey.hear(sightings, from: []) { _ in SurveyPlace(level: VenueLevel.defaultID, point: place) }
        // The way to the next place has other signals, which do not count.
        let walking = sightings.map { sighting in
          Sighting(beacon: sighting.beacon, measuredPower: -59, rssi: -30, time: sighting.time + .seconds(10))
        }
        if tick == 39 { survey.hear(walking, from: []) }
      }
    }
    return survey
  }

  private static func logarithm(_ value: Double) -> Double {
    var (rest, result, unit) = (value, 0.0, 1.0)
    while rest >= 10 { (rest, result) = (rest / 10, result + 1) }
    for _ in 0..<40 {
      (rest, unit) = (rest * rest, unit / 2)
      if rest >= 10 { (rest, result) = (rest / 10, result + unit) }
    }
    return result
  }

  private static let grid = [1.0, 7, 13, 19].flatMap { x in [1.0, 6, 11, 15].map { PlanPoint(x: x, y: $0) } }

  private static func report(_ survey: Survey) -> SurveyReport { survey.report(source: "test") { _ in nil } }

  @Test func `the file of a survey is what the venue reads, and keeps places that were not measured again`() throws {
    let survey = Self.survey(at: [PlanPoint(x: 1, y: 1), PlanPoint(x: 7, y: 6)])
    let first = try VenueSurvey(csv: try #require(survey.fingerprintFile), file: "first.csv", of: Self.hall)
    #expect(first.places == 2 && first.readings.count == 12 && first.unknownBeacons == 0)
    let nearest = try #require(first.readings.first { $0.beacon.minor == 1 && $0.point == PlanPoint(x: 1, y: 1) })
    #expect(abs(nearest.rssi + 63.8) < 9 && nearest.height == SurveyPlace.usualHeight, "\(nearest)")
    var venue = Self.hall
    venue.survey = first
    let again = Self.survey(venue, at: [PlanPoint(x: 7, y: 6.5), PlanPoint(x: 13, y: 6)], seed: 2)
    let second = try VenueSurvey(csv: try #require(again.fingerprintFile), file: "second.csv", of: venue)
    #expect(Set(second.readings.map(\.point)) == [PlanPoint(x: 1, y: 1), PlanPoint(x: 7, y: 6.5), PlanPoint(x: 13, y: 6)])
    #expect(Survey(venue: venue).fingerprintFile == nil)
  }

  @Test func `signals at known places show a wrong power and a moved beacon, and no others`() throws {
    var (found, falseVerdicts) = (0, 0)
    for seed in 1...10 as ClosedRange<UInt64> {
      let report = Self.report(
        Self.survey(at: Self.grid, moved: PlanPoint(x: 9, y: 11), powers: [2: -73], seed: seed))
      let power = try #require(report.beacon(2)?.suggestedMeasuredPower)
      #expect(abs(power + 73) <= 5, "\(power)")
      #expect(report.kinds(2) == [.wrongPower])
      if report.kinds(4).contains(.moved), let place = report.beacon(4)?.placedAt, let x = place.x, let y = place.y,
        PlanPoint(x: x, y: y).distance(to: PlanPoint(x: 9, y: 11)) < 4
      {
        found += 1
      }
      falseVerdicts += [1, 3, 5, 6].count { report.kinds($0).isEmpty == false }
    }
    #expect(found >= 5 && falseVerdicts == 0, "\(found) \(falseVerdicts)")
  }

  @Test func `the next places are far from the measured ones, and coverage grows`() throws {
    let left = Self.grid.filter { $0.x < 10 }
    let half = Self.report(Self.survey(at: left))
    let next = try #require(half.nextPlaces?.first)
    #expect(next.x ?? 0 > 10, "\(next)")
    let covered = try #require(half.coverage?.first)
    #expect(covered.places == 8 && covered.wantedPlaces == 40 && (0.4...0.8).contains(covered.surveyed ?? 0), "\(covered)")
    let whole = Self.report(Self.survey(at: Self.grid))
    #expect(whole.coverage?.first?.surveyed ?? 0 > 0.95 && whole.places?.count == 16)
    #expect(Self.report(Survey(venue: Self.hall)).nextPlaces?.count == 5)
  }

  @Test func `a walk with true positions measures in squares of two metres`() throws {
    let truth = try WalkTruth(csv: "unix_time_s,x_m,y_m,z_m\n1600000000,1,1,1.3\n1600000010,9,1,1.3\n")
    let places = stride(from: 0.0, through: 10, by: 1).map { second in
      SurveyPlace(truth, at: SurveyScene.start + .seconds(second), in: Self.hall)
    }
    #expect(places.compactMap { $0?.point.x } == [1, 1, 3, 3, 5, 5, 5, 7, 7, 9, 9] && places.allSatisfy { $0?.height == 1.3 })
    #expect(SurveyPlace(truth, at: SurveyScene.start + .seconds(11), in: Self.hall) == nil)
  }
}
