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

/// The indoor position of the engine on a real walk through a planned hall.
@Suite struct VenueTrackerTests {
  private static let walk = "straight_01"

  /// The hall of the walks, with its true beacons and an origin on the earth.
  private static func gallery(_ uuid: BeaconUUID, places: [Place] = []) throws -> Venues.Venue {
    let beacons = try Fixture.text("gallery.beacons.csv").split(separator: "\n").dropFirst().map { line in
      let values = line.split(separator: ",").map { Double($0) ?? .nan }
      return PlannedBeacon(
        identity: BeaconIdentity(uuid: uuid, major: 1, minor: UInt16(values[0])), position: PlanPoint(x: values[1], y: values[2]),
        height: values[3])
    }
    let origin = try #require(Coordinate(latitude: 48.137154, longitude: 11.57549))
    let hall = try #require(PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 20.66, y: 17.64)))
    return Venues.Venue(
      id: "gallery", frame: VenueFrame(origin: origin, bearing: 30), levels: [VenueLevel(walkable: [hall])], beacons: beacons,
      places: places)
  }

  /// The driver of an engine in the gallery, and its outputs.
  private struct Visit {
    var driver: EngineDriver
    var positions: [IndoorPosition] = []
    var events: [RegionEvent] = []

    init(
      _ venue: Venues.Venue, _ regions: [PlaceRegion] = [], learned: [String: [UInt16: LearnedRadio]] = VenueTrackerTests.learned,
      at time: Instant
    ) {
      var engine = ProximityEngine(at: time)
      for region in regions { engine.add(.place(region), at: time) }
      driver = EngineDriver(engine: engine)
      driver.replaceVenues(with: [venue], learned: learned)
    }

    mutating func step(_ sightings: [Sighting], through time: Instant) {
      for output in driver.step(sightings, through: time) {
        switch output {
        case .positioned(let position): positions.append(position)
        case .event(let event): events.append(event)
        case .snapshots, .scanned: break
        }
      }
    }

    /// Walks, and returns the end of the walk.
    mutating func walk(_ sightings: [Sighting], batch: Int = .max) -> Instant {
      for start in stride(from: 0, to: sightings.count, by: min(batch, sightings.count)) {
        let part = Array(sightings[start..<min(start + min(batch, sightings.count), sightings.count)])
        step(part, through: part[part.count - 1].time)
      }
      return sightings[sightings.count - 1].time
    }
  }

  /// The learned offsets of the receiver from an earlier walk; its level would otherwise be unknown.
  private static let learned: [String: [UInt16: LearnedRadio]] = {
    do {
      let sightings = try GalleryWalkTests.sightings("rectangular_without_rotation")
      var visit = Visit(try gallery(sightings[0].beacon.uuid), learned: [:], at: sightings[0].time)
      visit.driver.setPositioning(true)
      _ = visit.walk(sightings)
      return visit.driver.tracker?.learned ?? [:]
    } catch {
      Issue.record(error)
      return [:]
    }
  }()

  private func visit(_ regions: [PlaceRegion] = [], places: [Place] = []) throws -> (Visit, [Sighting]) {
    let sightings = try GalleryWalkTests.sightings(Self.walk)
    return (Visit(try Self.gallery(sightings[0].beacon.uuid, places: places), regions, at: sightings[0].time), sightings)
  }

  // MARK: Positions

  @Test func `positions of a real walk err by less than 2 m on average, on the plan and on the earth`() throws {
    var (visit, sightings) = try visit()
    visit.driver.setPositioning(true)
    _ = visit.walk(sightings)
    let truth = try Fixture.text("gallery-\(Self.walk).truth.csv").split(separator: "\n").dropFirst().map { line in
      line.split(separator: ",").map { Double($0) ?? .nan }
    }
    let frame = try #require(try Self.gallery(sightings[0].beacon.uuid).frame)
    var errors: [Double] = []
    for position in visit.positions {
      guard let estimate = position.output.estimate else { continue }
      let seconds = Double(position.output.time.microseconds) / 1e6
      let nearest = try #require(truth.min { abs($0[0] - seconds) < abs($1[0] - seconds) })
      errors.append(estimate.point.distance(to: PlanPoint(x: nearest[1], y: nearest[2])))
      let point = frame.point(for: try #require(position.coordinate))
      #expect(point.distance(to: estimate.point) < 0.01)
    }
    #expect(Double(errors.count) >= 0.8 * Double(visit.positions.count) && visit.positions.count > 30)
    #expect(errors.reduce(0, +) / Double(errors.count) < 2)
  }

  @Test func `the same walk gives the same positions and events for any batches`() throws {
    let regions = [PlaceRegion(identifier: "level", area: VenueArea(.level("ground")))]
    func outputs(batch: Int) throws -> ([IndoorPosition], [RegionTransition]) {
      var (visit, sightings) = try visit(regions)
      _ = visit.walk(sightings, batch: batch)
      return (visit.positions, visit.events.map(\.transition))
    }
    let whole = try outputs(batch: .max)
    #expect(whole.0.count > 30)
    for batch in [1, 7, 100] { #expect(try outputs(batch: batch) == whole, "batches of \(batch)") }
  }

  @Test func `the power that a beacon advertises is taken into account unless the venue states a measured one`() throws {
    var (plain, sightings) = try visit()
    plain.driver.setPositioning(true)
    _ = plain.walk(sightings)
    let weaker = sightings.map { sighting in
      Sighting(
        beacon: sighting.beacon, measuredPower: sighting.measuredPower - 6, rssi: sighting.rssi.map { $0 - 6 },
        adapter: sighting.adapter, time: sighting.time)
    }
    var shifted = try visit().0
    shifted.driver.setPositioning(true)
    _ = shifted.walk(weaker)
    #expect(shifted.positions == plain.positions)

    var venue = try Self.gallery(sightings[0].beacon.uuid)
    for index in venue.beacons.indices { venue.beacons[index].power = -65 }
    // Offsets that were learned with another power do not count, so both begin without any.
    var unlearned = Visit(try Self.gallery(sightings[0].beacon.uuid), learned: [:], at: sightings[0].time)
    unlearned.driver.setPositioning(true)
    _ = unlearned.walk(sightings)
    var measured = Visit(venue, learned: [:], at: sightings[0].time)
    measured.driver.setPositioning(true)
    _ = measured.walk(
      sightings.map { sighting in
        Sighting(
          beacon: sighting.beacon, measuredPower: 0, rssi: sighting.rssi.map { $0 - 6 }, adapter: sighting.adapter, time: sighting.time)
      })
    let pairs = zip(measured.positions, unlearned.positions).compactMap { a, b in
      a.output.estimate.flatMap { a in b.output.estimate.map { a.point.distance(to: $0.point) } }
    }
    #expect(pairs.count > 30 && pairs.allSatisfy { $0 < 0.01 }, "\(pairs)")
  }

  // MARK: Learned offsets

  @Test func `another rssi-offset makes the level of its adapter unknown again, and other settings do not`() throws {
    var (visit, sightings) = try visit()
    visit.driver.setPositioning(true)
    _ = visit.walk(sightings)
    let adapter = sightings[0].adapter
    let learned = try #require(visit.driver.tracker?.learned["gallery"]?[adapter])
    var settings = visit.driver.engine.settings.ranging
    settings.timeConstant += 1
    settings.adapterOffsets[adapter + 1] = 3
    visit.driver.adjust { $0.calibrate(settings) }
    #expect(visit.driver.tracker?.learned["gallery"]?[adapter] == learned)
    settings.adapterOffsets[adapter] = 6
    visit.driver.adjust { $0.calibrate(settings) }
    #expect(visit.driver.tracker?.learned["gallery"]?[adapter] == nil)
  }

  @Test func `another rssi-offset of a beacon makes that beacon unknown again, and no other, also after a restart`() throws {
    var (visit, sightings) = try visit()
    visit.driver.setPositioning(true)
    _ = visit.walk(sightings)
    let (adapter, beacon) = (sightings[0].adapter, sightings[0].beacon)
    let stored = try #require(visit.driver.tracker?.learned["gallery"]?[adapter])
    #expect(stored.transmitters["\(beacon)"] != nil && stored.transmitters.count > 4)
    var settings = visit.driver.engine.settings.ranging
    settings.beaconOffsets[beacon] = 4
    visit.driver.adjust { $0.calibrate(settings) }
    let others = stored.transmitters.filter { $0.key != "\(beacon)" }
    #expect(visit.driver.tracker?.learned["gallery"]?[adapter]?.transmitters == others)
    #expect(visit.driver.tracker?.placements["gallery"]?.contains { $0.transmitter == "\(beacon)" } == false)
    // Learned values of an earlier process at another offset.
    let venue = try Self.gallery(beacon.uuid)
    let next = VenueTracker([venue], ranging: settings, learned: ["gallery": [adapter: stored]])
    #expect(next.learned["gallery"]?[adapter]?.transmitters == others)
    // The offset under which they were learned finds them again.
    settings.beaconOffsets = [:]
    #expect(VenueTracker([venue], ranging: settings, learned: ["gallery": [adapter: stored]]).learned["gallery"]?[adapter] == stored)
  }

  @Test func `the counts of a venue's engine outlive the visit`() throws {
    var (visit, sightings) = try visit()
    visit.driver.setPositioning(true)
    _ = visit.walk(sightings)
    visit.driver.resetLearning(of: sightings[0].adapter + 1)
    let before = try #require(visit.driver.tracker)
    #expect(before.revision > 0 && before.isAwake)
    visit.driver.setPositioning(false)
    let after = try #require(visit.driver.tracker)
    #expect(after.revision == before.revision && after.learned == before.learned && !after.isAwake)
  }

  // MARK: Cost

  @Test func `nothing is computed unless a client or a region needs the position`() throws {
    var (visit, sightings) = try visit()
    _ = visit.walk(sightings)
    #expect(visit.positions.isEmpty && visit.driver.demand == .nothing && visit.driver.nextWake == .never)
  }

  @Test func `a venue that is not heard needs presence, one that is heard every report, and silence ends both the position and the cost`()
    throws
  {
    var (visit, sightings) = try visit()
    visit.driver.setPositioning(true)
    #expect(visit.driver.demand == .presence && visit.driver.nextWake == .never)
    let end = visit.walk(sightings)
    #expect(visit.driver.demand == .strength)
    visit.step([], through: end + .seconds(30))
    #expect(visit.positions.last?.output.absence == .outside)
    #expect(visit.driver.demand == .presence && visit.driver.nextWake == .never)
    visit.driver.setPositioning(false)
    #expect(visit.driver.demand == .nothing)
  }

  // MARK: Places

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

  private static let level = PlaceRegion(identifier: "level", area: VenueArea(.level("ground")))

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
