import Beacons
import FleetMessages
import Ingest
import Instants
import Partitions
import Rooms
import Streams
import Testing

@Suite struct SurveyedSiteTests {
  // swift-format-ignore: NeverForceUnwrap
  private static let till = FleetAddress(site: "berlin", device: "till")!

  /// A survey by which the door hears tags in one room at this level, and the till at -70 dBm.
  private func survey(_ key: Int64, _ room: String, door: Int8) -> LoadedSurvey {
    func listener(_ device: Int32, _ room: String, _ level: Int8) -> RoomSurvey.Listener {
      RoomSurvey.Listener(
        device: device, room: room, samples: (3...90).map { RoomSurvey.Sample(time: UInt16($0 * 10), level: level) })
    }
    let survey = RoomSurvey(room: room, seconds: 100, listeners: [listener(7, "hall", door), listener(8, "shop", -70)])
    return LoadedSurvey(key: key, room: room, content: .success(survey))
  }

  @Test("a worker decides by the surveys of a site after the revision of the enrolments has changed")
  func newSurvey() throws {
    let bench = Bench()
    bench.store.placed = [SiteDevice(id: 7, room: "hall", floor: nil), SiteDevice(id: 8, room: "shop", floor: nil)]
    bench.store.enrolled[Self.till] = Device(id: 8, site: 3, isRevoked: false, numbering: NumberingHistory())
    var sequence: Int64 = 0
    /// The door hears the tag at -60 dBm and the till at -70 dBm.
    func hear(_ seconds: Int) throws {
      for _ in 0..<seconds {
        sequence += 1
        bench.clock.uptime += .seconds(1)
        bench.send(Bench.digest(sequence, time: bench.clock.rowTime))
        let sighting = FleetSighting(
          beacon: BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 1), level: -70, distance: nil, rate: 10, age: 0)
        let body = FleetMessage(
          journal: StreamJournal(high: 0, low: 2), sequence: sequence, floor: 1, time: bench.clock.rowTime, body: .digest([sighting]))
        bench.source.add(body.octets, key: Self.till.routingKey, queue: Bench.map.queue(ofPartition: Self.till.partition))
        try bench.settle()
      }
    }
    try hear(20)
    #expect(bench.store.batches.flatMap(\.roomChanges).map(\.to) == ["hall"])
    bench.store.surveys = [survey(1, "hall", door: -40), survey(2, "shop", door: -60)]
    bench.store.revision += 1
    try hear(3)
    bench.store.batches = []
    try hear(60)
    #expect(bench.store.batches.flatMap(\.beacons).last?.room == "shop")
  }
}
