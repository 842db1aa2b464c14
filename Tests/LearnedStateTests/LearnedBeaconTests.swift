import BeaconHealth
import Beacons
import LearnedState
import TestSupport
import Testing

/// Expected beacons in the file of the daemon.
@Suite struct LearnedBeaconTests {
  @Test func `expected beacons survive a restart at their place`() throws {
    let folder = try TemporaryDirectory()
    let (path, lines) = ("\(folder.path)/state.db", LogLines())
    let uuid = BeaconUUID(high: 1, low: 2)
    let beacons = (1...3).map { number in
      LearnedBeacon(
        beacon: BeaconIdentity(uuid: uuid, major: 1, minor: UInt16(number)), numbers: [Double(number), 2.5, -1],
        levels: ["AA:BB:CC:00:11:22": [48, -70, -60, -65, -65, 0, Double(number)]])
    }
    do {
      let store = LearnedStore(path: path, log: lines.logger)
      #expect(store.loadBeacons(at: "here") == [])
      store.save(beacons, at: "here")
    }
    let store = LearnedStore(path: path, log: lines.logger)
    #expect(store.loadBeacons(at: "here") == beacons && store.loadBeacons(at: "there") == [])
    store.save(Array(beacons.prefix(1)), at: "there")
    #expect(store.loadBeacons(at: "here") == [] && store.loadBeacons(at: "there") == Array(beacons.prefix(1)))
    #expect(lines.all.isEmpty)
  }
}
