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
  static let walk = "straight_01"

  /// The hall of the walks, with its true beacons and an origin on the earth.
  static func gallery(_ uuid: BeaconUUID, places: [Place] = []) throws -> Venues.Venue {
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
  struct Visit {
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
  static let learned: [String: [UInt16: LearnedRadio]] = {
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

  func visit(_ regions: [PlaceRegion] = [], places: [Place] = []) throws -> (Visit, [Sighting]) {
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

  @Test func `another rssi-offset of a beacon makes that beacon unknown again, and no other, even after a restart`() throws {
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
    #expect(before.revision > 0 && before.hearsVenue)
    visit.driver.setPositioning(false)
    let after = try #require(visit.driver.tracker)
    #expect(after.revision == before.revision && after.learned == before.learned && !after.hearsVenue)
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
}
