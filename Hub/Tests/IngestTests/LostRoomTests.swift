import Beacons
import FleetMessages
import Ingest
import Rooms
import Testing

@Suite struct LostRoomTests {
  @Test("a beacon whose room has no device any more leaves it once, whether the site has other rooms or none", arguments: [true, false])
  func lostRoom(hasRooms: Bool) throws {
    let bench = Bench()
    let key = BeaconKey(site: 3, beacon: BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 9))
    let state = BeaconState(id: 50, sightings: 8, lastSeen: 1_699_999_000_000)
    if hasRooms { bench.store.placed = [SiteDevice(id: 7, room: "hall", floor: nil)] }
    bench.store.states[key] = state
    bench.store.roomed[key] = LoadedBeacon(state: state, room: "cellar", roomSince: 1_699_998_000_000)
    bench.send(Bench.digest(1))
    try bench.settle()
    bench.send(Bench.digest(2))
    try bench.settle()
    let left = bench.store.batches.flatMap(\.roomChanges).filter { $0.beacon == 50 }
    #expect(left.map(\.from) == ["cellar"] && left.map(\.to) == [nil])
    #expect(left.map(\.time) == [1_699_999_000_000] && left.map(\.since) == [1_699_998_000_000])
    let rows = bench.store.batches.flatMap(\.beacons).filter { $0.state.id == 50 }
    #expect(rows == [BeaconRow(state: state)])
  }
}
