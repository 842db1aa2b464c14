import Beacons
import Geodesy
import Instants
import LocationArbitration
import Locations
import Positioning
import Ranging
import TestSupport
import Testing
import Venues

@testable import Monitoring

/// The scan of the daemon at a venue, with the fixes of another source.
@Suite struct VenueGatingTests {
  private static let venue: Venue = {
    let beacons = (1...6).map { number in
      PlannedBeacon(
        identity: BeaconIdentity(uuid: Scene.uuid, major: UInt16(number), minor: 1), position: PlanPoint(x: Double(number) * 3, y: 0))
    }
    return Venue(id: "hall", frame: Coordinate(latitude: 48, longitude: 11).map { VenueFrame(origin: $0) }, beacons: beacons)
  }()

  private func fix(_ scene: Scene, latitude: Double, from source: Location.Source = Location.Source("gpsd")) throws {
    let reading = LocationReading(latitude: latitude, longitude: 11, horizontalAccuracy: 5)
    scene.monitoring.gateVenues(try Location(reading, from: source, at: Receipt(recorded: .at(0))))
  }

  @Test func `an app that asks for its location far from the venue causes no scan, and one at the venue a scan for presence`() throws {
    let scene = Scene(catalogue: Catalogue([Self.venue]))
    scene.source.begin()
    scene.monitoring.indoor.start(for: .best)
    #expect(scene.source.demand == .presence)
    try fix(scene, latitude: 48.1)
    #expect(scene.source.demand == .nothing && scene.monitoring.indoor.health.state == .away)
    try fix(scene, latitude: 48)
    #expect(scene.source.demand == .presence)
    scene.monitoring.indoor.stop()
    #expect(scene.source.demand == .nothing)
  }

  @Test func `the position indoors does not decide about the scan that it needs`() throws {
    let scene = Scene(catalogue: Catalogue([Self.venue]))
    scene.source.begin()
    scene.monitoring.indoor.start(for: .best)
    try fix(scene, latitude: 48.1, from: .indoor)
    #expect(scene.source.demand == .presence)
  }

  @Test func `the first beacon of the venue raises the demand to every report, and silence lowers it again`() throws {
    let scene = Scene(catalogue: Catalogue([Self.venue]))
    scene.source.begin()
    scene.monitoring.indoor.start(for: .best)
    scene.source.hear(1)
    #expect(scene.source.demand == .strength)
    scene.source.pass(to: 60)
    #expect(scene.source.demand == .presence && scene.source.wake == .never)
  }
}
