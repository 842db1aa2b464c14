import BeaconAdvertising
import Beacons
import Events
import Geodesy
import IndoorPositioning
import Instants
import Motion
import Ranging
import Regions
import TestSupport
import Testing
import Venues

@testable import Proximity

/// Regions that are places of a venue, on a real walk and at rest.
extension VenueTrackerTests {
  @Test func `the motion of the device matters only while a venue is heard whose position is needed`() throws {
    let sightings = try GalleryWalkTests.sightings(Self.walk)
    var visit = Visit(try Self.gallery(sightings[0].beacon.uuid), at: sightings[0].time)
    _ = visit.walk(Array(sightings.prefix(50)))
    #expect(!visit.driver.usesMotion, "no client")
    visit.driver.setPositioning(true)
    #expect(!visit.driver.usesMotion, "nothing heard")
    let end = visit.walk(sightings)
    #expect(visit.driver.usesMotion)
    visit.step([], through: end + .seconds(20))
    #expect(!visit.driver.usesMotion, "silence")
  }

  @Test func `the position of a still device wanders less, and a motion applies from its time on`() throws {
    let sightings = try GalleryWalkTests.sightings(Self.walk)
    func positions(_ motion: DeviceMotion) throws -> [IndoorPosition] {
      var visit = Visit(try Self.gallery(sightings[0].beacon.uuid), at: sightings[0].time)
      visit.driver.setPositioning(true)
      let middle = sightings.count / 2
      _ = visit.walk(Array(sightings[..<middle]))
      for output in visit.driver.step(motion, at: sightings[middle].time) {
        if case .positioned(let position) = output { visit.positions.append(position) }
      }
      _ = visit.walk(Array(sightings[middle...]))
      return visit.positions
    }
    let (walked, still) = (try positions(.unknown), try positions(DeviceMotion(.still)))
    let middle = sightings[sightings.count / 2].time
    #expect(walked.filter { $0.output.time <= middle } == still.filter { $0.output.time <= middle })
    func path(_ positions: [IndoorPosition]) -> Double {
      let points = positions.filter { $0.output.time > middle }.compactMap(\.output.estimate?.point)
      return zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }
    #expect(path(still) < path(walked) / 2, "\(path(still)) of \(path(walked)) m")
  }

  @Test func `a walk enters and leaves the level, with the probability and the position as its evidence`() throws {
    var (visit, sightings) = try visit([PlaceRegion(identifier: "level", area: VenueArea(.level("ground"), venue: "gallery"))])
    let end = visit.walk(sightings)
    visit.step([], through: end + .seconds(60))
    let log = visit.events.map { "\($0.transition.kind) \($0.transition.cause)" }
    #expect(log == ["enter approach", "exit departure"])
    #expect(visit.driver.engine.watch("level")?.state == .outside)
    let enter = try #require(visit.events.first?.event())
    #expect(try #require(enter.reason.probability) > 0.9 && enter.regionKind == .place && enter.location?.horizontalAccuracy != nil)
  }

  @Test func `an exhibit is entered where the walker stood beside it`() throws {
    let sightings = try GalleryWalkTests.sightings(Self.walk)
    let truth = try Fixture.text("gallery-\(Self.walk).truth.csv").split(separator: "\n").dropFirst().map { line in
      line.split(separator: ",").map { Double($0) ?? .nan }
    }
    // The exhibit is where the walker was in the middle of the walk.
    let middle = truth[truth.count / 2]
    let exhibit = PlanPoint(x: middle[1], y: middle[2])
    let place = Place(id: "exhibit", position: exhibit, radius: 4)
    var visit = Visit(
      try Self.gallery(sightings[0].beacon.uuid, places: [place]), [PlaceRegion(identifier: "exhibit", area: VenueArea(.place("exhibit")))],
      at: sightings[0].time)
    _ = visit.walk(sightings)
    let enters = visit.events.map(\.transition).filter { $0.kind == .enter }
    #expect(!enters.isEmpty)
    for enter in enters {
      let seconds = Double(enter.time.microseconds) / 1e6
      let nearest = try #require(truth.min { abs($0[0] - seconds) < abs($1[0] - seconds) })
      #expect(exhibit.distance(to: PlanPoint(x: nearest[1], y: nearest[2])) < 6)
    }
  }

  @Test func `a visit does not end because the adapter is lost`() throws {
    var (visit, sightings) = try visit([PlaceRegion(identifier: "level", area: VenueArea(.level("ground")))])
    let end = visit.walk(sightings)
    visit.driver.adjust { $0.setReception(.all(.lost), at: end) }
    visit.step([], through: end + .seconds(60))
    #expect(visit.events.map(\.transition.kind) == [.enter, .state])
    #expect(visit.driver.engine.watch("level")?.state == .unknown)
  }

  // MARK: Silence

  static let level = PlaceRegion(identifier: "level", area: VenueArea(.level("ground")))

  @Test func `a place is outside once none of the venue's beacons was heard for 30 s`() throws {
    var (visit, sightings) = try visit([Self.level])
    let start = sightings[0].time
    #expect(visit.driver.nextWake == start + .seconds(30))
    visit.step([], through: start + .seconds(29))
    #expect(visit.driver.engine.watch("level")?.state == .unknown)
    visit.step([], through: start + .seconds(30))
    #expect(visit.driver.engine.watch("level")?.state == .outside && visit.driver.nextWake == .never)
    #expect(visit.events.map(\.transition.kind) == [.state])
    // The state stays until the venue is heard.
    visit.step([], through: start + .seconds(3600))
    #expect(visit.events.count == 1 && visit.driver.engine.watch("level")?.state == .outside)
  }

  @Test func `silence counts only while an adapter hears, and from the time when a region was added`() throws {
    var (visit, sightings) = try visit([Self.level])
    let start = sightings[0].time
    visit.driver.adjust { $0.setReception(.all(.lost), at: start + .seconds(10)) }
    visit.step([], through: start + .seconds(100))
    #expect(visit.driver.engine.watch("level")?.state == .unknown && visit.driver.nextWake == .never)
    visit.driver.adjust { $0.setReception(.all(.hearing), at: start + .seconds(100)) }
    visit.step([], through: start + .seconds(129))
    #expect(visit.driver.engine.watch("level")?.state == .unknown)
    visit.step([], through: start + .seconds(131))
    #expect(visit.driver.engine.watch("level")?.state == .outside)
    visit.driver.adjust { $0.add(.place(PlaceRegion(identifier: "new", area: VenueArea(.level("ground"), venue: "gallery"))), at: $0.now) }
    #expect(visit.driver.nextWake == start + .seconds(161))
    visit.step([], through: start + .seconds(161))
    #expect(visit.driver.engine.watch("new")?.state == .outside)
  }

  @Test func `a visitor who is inside after a restart has no exit, even if the first beacons are heard late`() throws {
    var (visit, sightings) = try visit([Self.level])
    let end = visit.walk(sightings)
    let saved = try #require(visit.driver.engine.saved("level") { $0 })
    #expect(saved.remembered == .inside && end > sightings[0].time)
    var (next, again) = try self.visit([Self.level])
    let start = again[0].time
    let delay = Span.seconds(25)
    next.driver.start(at: start - delay)
    next.driver.adjust { $0.restore([saved], after: .seconds(10), at: start - delay) { $0 } }
    _ = next.walk(again)
    #expect(next.events.map(\.transition.kind) == [.state] && next.driver.engine.watch("level")?.state == .inside)
    // A visitor who left meanwhile has one exit.
    (next, again) = try self.visit([Self.level])
    next.driver.start(at: start)
    next.driver.adjust { $0.restore([saved], after: .seconds(10), at: start) { $0 } }
    next.step([], through: start + .seconds(60))
    #expect(next.events.map(\.transition.kind) == [.exit])
  }

  // MARK: A receiver that never moves

  @Test func `a receiver that never moves is inside the places around it, without a position from beacons`() throws {
    let sightings = try GalleryWalkTests.sightings(Self.walk)
    let places = [
      Place(id: "desk", position: PlanPoint(x: 5, y: 5), radius: 3), Place(id: "exit", position: PlanPoint(x: 18, y: 15), radius: 3),
    ]
    let regions = places.map { PlaceRegion(identifier: $0.id, area: VenueArea(.place($0.id))) }
    let venue = try Self.gallery(sightings[0].beacon.uuid, places: places)
    var visit = Visit(venue, regions, learned: [:], at: sightings[0].time)
    visit.driver.replaceVenues(with: [venue], receiver: FixedReceiver(position: PlanPoint(x: 6, y: 6)))
    visit.driver.setPositioning(true)
    let end = visit.walk(sightings)
    visit.step([], through: end + .seconds(3600))
    #expect(visit.positions.isEmpty && visit.driver.nextWake == .never)
    #expect(visit.driver.engine.watch("desk")?.state == .inside && visit.driver.engine.watch("exit")?.state == .outside)
    #expect(visit.events.count { $0.transition.kind == .enter } == 1)
    #expect(visit.events.first { $0.transition.kind == .enter }?.transition.fix?.accuracy == 1)
  }

  @Test func `an area that no venue has stays unknown`() throws {
    var (visit, sightings) = try visit([
      PlaceRegion(identifier: "attic", area: VenueArea(.level("attic"))),
      PlaceRegion(identifier: "other", area: VenueArea(.level("ground"), venue: "museum")),
    ])
    _ = visit.walk(sightings)
    #expect(visit.events.isEmpty)
  }

  @Test func `a venue whose plan is larger than any building has a problem instead of a position`() throws {
    let uuid = BeaconUUID(high: 1, low: 2)
    let beacons = [0.0, 90_000].map {
      PlannedBeacon(identity: BeaconIdentity(uuid: uuid, major: 1, minor: UInt16($0 / 90_000)), position: PlanPoint(x: $0, y: $0))
    }
    let tracker = VenueTracker([Venues.Venue(id: "huge", beacons: beacons), Venues.Venue(id: "empty")])
    #expect(tracker.problems.keys.sorted() == ["empty", "huge"])
    #expect(tracker.nextDeadline == .never)
  }
}
