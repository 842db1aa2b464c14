import Beacons
import Events
import Instants
import Proximity
import Ranging
import Regions
import Testing
import Venues

@testable import Monitoring

/// The names that venues give to beacons in events and snapshots.
@Suite struct PlaceNameTests {
  private static func catalogue(_ title: LocalizedText) -> Catalogue {
    let beacon = BeaconIdentity(uuid: Scene.uuid, major: 1, minor: 1)
    return Catalogue([
      Venue(
        id: "gallery", beacons: [PlannedBeacon(identity: beacon, position: PlanPoint(x: 0, y: 0))],
        places: [Place(id: "lodestone", kind: .exhibit, position: PlanPoint(x: 0, y: 0), beacon: beacon, title: title)])
    ])
  }

  @Test func `an event names the place of its beacon in the language of the daemon`() throws {
    let scene = Scene(
      .init(), try Scene.regions(["hall": 1]), catalogue: Self.catalogue(["en": "Lodestone", "de": "Magnetstein"]), languages: ["de"])
    scene.source.begin()
    scene.source.hear(1)
    #expect(scene.bus.details.map(\.placeName) == ["Magnetstein"])
    #expect(scene.bus.details.map(\.placeID) == ["lodestone"])
  }

  @Test func `a beacon outside every venue has no place`() throws {
    let scene = Scene(.init(), try Scene.regions(["hall": 2]), catalogue: Self.catalogue("Lodestone"))
    scene.source.begin()
    scene.source.hear(1, major: 2)
    #expect(scene.bus.details.map(\.placeName) == [nil])
  }

  @Test func `a reload changes the names of places`() throws {
    let scene = Scene(.init(), try Scene.regions(["hall": 1]), catalogue: Self.catalogue("Lodestone"))
    scene.source.begin()
    scene.source.hear(1)
    scene.monitoring.reconfigure(
      MonitoringSettings(
        regions: try Scene.regions(["hall": 1]), adapters: [], ranging: RangingSettings(), catalogue: Self.catalogue("Compass")))
    scene.source.pass(to: 60)
    #expect(scene.bus.details.map(\.placeName) == ["Lodestone", "Compass"])
  }
}
