import Beacons
import Testing
import Venues

@Suite struct CatalogueTests {
  private static let uuid = BeaconUUID(high: 1, low: 2)

  private func venue(_ id: String, minor: UInt16, title: LocalizedText = "Lodestone") -> Venue {
    let beacon = BeaconIdentity(uuid: Self.uuid, major: 2, minor: minor)
    let bare = BeaconIdentity(uuid: Self.uuid, major: 1, minor: minor)
    return Venue(
      id: id, uuids: [Self.uuid],
      beacons: [
        PlannedBeacon(identity: beacon, position: PlanPoint(x: 1, y: 2)), PlannedBeacon(identity: bare, position: PlanPoint(x: 3, y: 2)),
      ],
      places: [Place(id: "lodestone", kind: .exhibit, position: PlanPoint(x: 1, y: 1), beacon: beacon, title: title)])
  }

  @Test func `a beacon leads to its venue and its place`() throws {
    let catalogue = Catalogue([venue("north", minor: 1), venue("south", minor: 2, title: "Compass")])
    let beacon = BeaconIdentity(uuid: Self.uuid, major: 2, minor: 2)
    #expect(try #require(catalogue.entry(for: beacon)).venue == 1)
    #expect(catalogue.place(of: beacon)?.name(preferring: ["en"]) == "Compass")
    #expect(catalogue.place("lodestone", in: 0)?.beacon?.minor == 1)
    #expect(catalogue.place("lodestone", in: 7) == nil)
    #expect(catalogue.place("compass", in: 0) == nil)
  }

  @Test func `a beacon without a place is planned all the same`() throws {
    let catalogue = Catalogue([venue("north", minor: 1)])
    let bare = BeaconIdentity(uuid: Self.uuid, major: 1, minor: 1)
    #expect(try #require(catalogue.entry(for: bare)).beacon.position == PlanPoint(x: 3, y: 2))
    #expect(catalogue.place(of: bare) == nil)
    #expect(catalogue.entry(for: BeaconIdentity(uuid: Self.uuid, major: 9, minor: 9)) == nil)
  }

  @Test func `the first of two venues with the same beacon has it`() {
    let catalogue = Catalogue([venue("north", minor: 1, title: "One"), venue("south", minor: 1, title: "Two")])
    #expect(catalogue.place(of: BeaconIdentity(uuid: Self.uuid, major: 2, minor: 1))?.title.text == "One")
  }

  @Test func `a place without a title is named by its id`() {
    #expect(Place(id: "room-5", position: PlanPoint(x: 0, y: 0)).name(preferring: ["de"]) == "room-5")
  }
}
