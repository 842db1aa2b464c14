import BeaconAdvertising
import Beacons
import Events
import Geodesy
import Instants
import Locations
import Proximity
import Ranging
import Regions
import Replays
import Testing
import TrackRecordings
import Venues

/// A capture and a walk that are played together.
@Suite struct EngineReplayTests {
  private static let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 7)
  private static let venue = Venue(
    id: "gallery", levels: [VenueLevel()], beacons: [PlannedBeacon(identity: beacon, position: PlanPoint(x: 0, y: 0))],
    places: [
      Place(
        id: "lily", position: PlanPoint(x: 0, y: 0), beacon: beacon, title: ["en": "Lilies", "de": "Lilien"])
    ])

  private static func second(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }

  private static func sighting(_ seconds: Double) -> Sighting {
    Sighting(beacon: beacon, measuredPower: -59, rssi: -59, adapter: 3, time: second(seconds))
  }

  private static func circle() throws -> CircularRegion {
    let center = try #require(Coordinate(latitude: 1, longitude: 2))
    return CircularRegion(identifier: "square", circle: try #require(Circle(center: center, radius: 200)))
  }

  private static func fix(_ seconds: Double, latitude: Double = 1) -> WalkReport {
    WalkReport(
      .reading(LocationReading(latitude: latitude, longitude: 2, horizontalAccuracy: 3, time: second(seconds))), at: second(seconds))
  }

  private func driver(isRanging: Bool = false) throws -> EngineDriver {
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    engine.add(.beacon(BeaconRegion(identifier: "hall", constraint: BeaconConstraint(uuid: Self.beacon.uuid))), at: engine.now)
    engine.add(.circle(try Self.circle()), at: engine.now)
    if isRanging { engine.startRanging(BeaconConstraint(uuid: Self.beacon.uuid)) }
    return EngineDriver(engine: engine)
  }

  private func lines(_ outputs: [EngineReplay.Output]) -> [String] {
    outputs.map { output in
      switch output {
      case .event(let event): "\(event.kind?.rawValue ?? "") \(event.region ?? "")"
      case .beacons(let beacons, let time): "\(Int((time - Self.second(0)).seconds)) \(beacons.count)"
      }
    }
  }

  @Test func `an event has the place of its beacon in the best language, and the name of the adapter`() throws {
    var replay = EngineReplay(try driver(), catalogue: Catalogue([Self.venue]), languages: ["de"])
    let outputs = replay.take([Self.sighting(1)], in: Self.second(0)...Self.second(2)) { "hci\($0)" }
    let events: [Event] = outputs.compactMap { output in if case .event(let event) = output { event } else { nil } }
    let event = try #require(events.first)
    #expect(event.kind == .enter && event.placeID == "lily" && event.placeName == "Lilien" && event.reason.adapter == "hci3")
    #expect(replay.eventCount == outputs.count)
  }

  @Test func `the fixes of a walk enter circles between the sightings`() throws {
    let walk = stride(from: 0.0, to: 60, by: 10).map { Self.fix($0) }
    var replay = EngineReplay(try driver(), walk: walk)
    let outputs = replay.take([Self.sighting(50)], in: Self.second(40)...Self.second(51)) { _ in nil }
    #expect(lines(outputs) == ["enter square", "state hall", "enter hall"])
  }

  @Test func `a report without a usable fix enters no circle`() throws {
    let inaccurate = WalkReport(.reading(LocationReading(latitude: 1, longitude: 2)), at: Self.second(2))
    let walk = [WalkReport(.searching(.init(), time: nil), at: Self.second(0)), Self.fix(1, latitude: 91), inaccurate]
    var replay = EngineReplay(try driver(), walk: walk)
    #expect(lines(replay.take([], in: Self.second(0)...Self.second(30)) { _ in nil }) == ["state hall"])
  }

  @Test func `beacons come each second while the replay ranges`() throws {
    var replay = EngineReplay(try driver(isRanging: true))
    let outputs = replay.take([Self.sighting(1.5)], in: Self.second(1.5)...Self.second(3.5)) { _ in nil }
    #expect(lines(outputs) == ["enter hall", "2 1", "3 1"])
  }

  @Test func `fixes after the last chunk count, and waiting ends when silence changes nothing any more`() throws {
    var replay = EngineReplay(try driver(), walk: stride(from: 100.0, to: 160, by: 10).map { Self.fix($0) })
    #expect(lines(replay.take([Self.sighting(1)], in: Self.second(1)...Self.second(2)) { _ in nil }) == ["enter hall"])
    #expect(lines(replay.finish { _ in nil }) == ["exit hall", "enter square"])
    var waits = 0
    while let outputs = replay.wait(adapterName: { _ in nil }) {
      waits += 1
      try #require(waits < 100)
      #expect(lines(outputs).allSatisfy { !$0.hasPrefix("enter") })
    }
  }

  @Test func `without a record there is no time, so a walk alone and waiting give nothing`() throws {
    var replay = EngineReplay(try driver(), walk: [Self.fix(1), Self.fix(60)])
    #expect(replay.finish { _ in nil }.isEmpty)
    #expect(replay.wait { _ in nil } == nil)
  }
}
