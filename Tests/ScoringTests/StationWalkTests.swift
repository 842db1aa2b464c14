import BeaconAdvertising
import Beacons
import Instants
import RealModule
import Scoring
import SignalCalibration
import TestSupport
import Testing
import Venues

@Suite struct StationWalkTests {
  private static let uuid = BeaconUUID(high: 1, low: 2)
  private static let start = Instant(microseconds: 1_600_000_000_000_000)

  private static func venue(walls: [VenueWall] = [], isTall: Bool = false) -> Venue {
    let ground = VenueLevel.defaultID
    var venue = Venue(
      id: "hall", walls: walls,
      beacons: [
        PlannedBeacon(
          identity: BeaconIdentity(uuid: uuid, major: 1, minor: 1), level: ground, position: PlanPoint(x: 0, y: 0), height: 1.5)
      ],
      places: [
        Place(id: "door", position: PlanPoint(x: 1, y: 0), title: LocalizedText("Entrance")),
        Place(id: "desk", position: PlanPoint(x: 11, y: 0), title: LocalizedText("Desk")),
      ], nodes: [RouteNode(id: "corner", position: PlanPoint(x: 11, y: 10))])
    if isTall {
      venue.levels.append(VenueLevel(id: "first", ordinal: 1))
      venue.nodes.append(RouteNode(id: "upstairs", level: "first", position: PlanPoint(x: 11, y: 10)))
    }
    return venue
  }

  private static func sightings(_ seconds: ClosedRange<Int>, rssi: (Double) -> Double) -> [Sighting] {
    (seconds.lowerBound * 10...seconds.upperBound * 10).map { tenth in
      let second = Double(tenth) / 10
      return Sighting(
        beacon: BeaconIdentity(uuid: uuid, major: 1, minor: 1), measuredPower: -59, rssi: Int8(rssi(second).rounded()), adapter: 0,
        time: start + .seconds(second))
    }
  }

  @Test func `the position between two places follows the time`() throws {
    let walk = try StationWalk(["door", "desk", "corner"], in: Self.venue())
    #expect(walk.stations.map(\.name) == ["door", "desk", "corner"] && walk.length(after: 0) == 10)
    let times = [0.0, 10, 20].map { Self.start + .seconds($0) }
    let samples = try walk.samples(of: Self.sightings(0...20) { _ in -70 }, at: times, height: 1.5)
    // Samples take two seconds: the first one is from 1 to 3 m.
    #expect(abs((samples.first?.distance ?? 0) - 1.95) < 0.1, "\(samples.map(\.distance))")
    #expect(abs((samples.last?.distance ?? 0) - 14.87) < 0.1)
    #expect(walk.times(from: Self.start, until: Self.start + .seconds(20)) == times)
  }

  @Test func `a walk at other times of the same places gives the path loss of the beacon`() throws {
    let walk = try StationWalk(["door", "desk", "door"], in: Self.venue())
    let loss = { (second: Double) in
      let distance = second < 20 ? 1 + second / 2 : 11 - (second - 20) / 4
      return -62 - 25 * Double.log10(distance)
    }
    let times = [0.0, 20, 60].map { Self.start + .seconds($0) }
    let samples = try walk.samples(of: Self.sightings(0...60, rssi: loss), at: times, height: 1.5)
    let fit = try #require(SignalFit.calibration(of: samples))
    #expect(abs((fit.exponent?.value ?? 0) - 2.5) < 0.1 && abs((fit.beacons.first?.power.value ?? 0) + 62) < 1, "\(fit)")
  }

  @Test func `signals on the stairs and of other levels do not count`() throws {
    let walk = try StationWalk(["desk", "corner", "upstairs"], in: Self.venue(isTall: true))
    #expect(walk.length(after: 1) == nil && walk.times(from: Self.start, until: Self.start + .seconds(20)) == nil)
    let times = [0.0, 10, 20].map { Self.start + .seconds($0) }
    let samples = try walk.samples(of: Self.sightings(0...20) { _ in -70 }, at: times, height: 1.5)
    #expect(samples.reduce(0) { $0 + $1.packets } == 101)
  }

  @Test(
    arguments: [
      (["door"], "two places or more"), (["door", "dor"], "hall has no place or node \"dor\"; it has door, desk, corner"),
      (["door", "Entrance"], "are at the same point"), (["door", "corner"], "a wall stands between \"door\" and \"corner\""),
    ])
  func `names that are not a walk are refused`(names: [String], message: String) {
    let wall = VenueWall(from: PlanPoint(x: 0, y: 5), to: PlanPoint(x: 8, y: 5), attenuation: 8)
    let error = #expect(throws: StationWalkError.self) { try StationWalk(names, in: Self.venue(walls: [wall])) }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test func `a place that hangs on a wall can be reached`() throws {
    let wall = VenueWall(from: PlanPoint(x: 11, y: -5), to: PlanPoint(x: 11, y: 5), attenuation: 8)
    #expect(throws: Never.self) { try StationWalk(["door", "desk"], in: Self.venue(walls: [wall])) }
  }

  @Test(arguments: [0.0, 3, 200]) func `times that are not a steady walk are refused`(seconds: Double) throws {
    let walk = try StationWalk(["door", "desk"], in: Self.venue())
    let error = #expect(throws: StationWalkError.self) {
      try walk.samples(of: [], at: [Self.start, Self.start + .seconds(seconds)], height: 1.5)
    }
    #expect(error?.description.contains("which is not a walk at a steady speed") == true)
  }

  @Test func `typed seconds are the times of the stations, and without them the speed is steady`() throws {
    let walk = try StationWalk(["door", "desk", "corner"], in: Self.venue())
    let end = Self.start + .seconds(20)
    #expect(try walk.passingTimes(nil, from: Self.start, until: end) == walk.times(from: Self.start, until: end))
    let typed = try walk.passingTimes([0.5, 8, 21], from: Self.start, until: end)
    #expect(typed == [0.5, 8, 21].map { Self.start + .seconds($0) }, "the last place may be passed a second after the last sighting")
  }

  @Test(
    arguments: [
      ([0, nil, 9], .notRising), ([-1, 2, 3], .notRising), ([0, 9, 9], .notRising), ([0, 1, .infinity], .notRising),
      ([0, 9], .otherCount(times: 2, stations: 3)), ([0, 9, 21.1], .afterEnd(.seconds(20))),
    ] as [([Double?], StationWalk.PassingTimesError)])
  func `typed seconds that are not the times of the stations are refused`(seconds: [Double?], error: StationWalk.PassingTimesError) throws {
    let walk = try StationWalk(["door", "desk", "corner"], in: Self.venue())
    #expect(throws: error) { try walk.passingTimes(seconds, from: Self.start, until: Self.start + .seconds(20)) }
  }

  @Test func `a walk between levels requires typed seconds`() throws {
    let walk = try StationWalk(["corner", "upstairs"], in: Self.venue(isTall: true))
    let end = Self.start + .seconds(20)
    #expect(throws: StationWalk.PassingTimesError.timesRequired) { try walk.passingTimes(nil, from: Self.start, until: end) }
    #expect(try walk.passingTimes([0, 20], from: Self.start, until: end) == [Self.start, end])
  }
}
