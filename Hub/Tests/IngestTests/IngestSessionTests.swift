import Beacons
import FleetMessages
import Ingest
import Instants
import Rooms
import Streams
import Testing

@Suite struct IngestSessionTests {
  @Test("a batch is acknowledged after it is written, and copies are not stored again")
  func copies() throws {
    let bench = Bench()
    for sequence: Int64 in [1, 2, 2, 3, 1] { bench.send(Bench.digest(sequence)) }
    try bench.settle()
    #expect(bench.store.digests.map(\.sequence) == [1, 2, 3])
    #expect(bench.store.refused(.copy) == 2)
    #expect(bench.source.calls.last == "acknowledge \(Bench.queue) 5")
    #expect(bench.store.states.values.map(\.sightings) == [3])
  }

  @Test("a session after a crash stores nothing twice")
  func crash() throws {
    let bench = Bench()
    bench.send(Bench.digest(1))
    try bench.settle()
    for sequence: Int64 in 1...3 { bench.send(Bench.digest(sequence)) }
    try bench.settle(Bench.session(bench.store, bench.source, bench.clock))
    #expect(bench.store.digests.map(\.sequence) == [1, 2, 3])
    #expect(bench.store.epochs[Bench.queue] == 2)
  }

  @Test("a worker that lost a queue cannot write")
  func fence() throws {
    let bench = Bench()
    bench.send(Bench.digest(1))
    try bench.settle()
    _ = bench.store.acquire(queue: Bench.queue, worker: "other")
    bench.send(Bench.digest(2))
    #expect(throws: Stop.self) { try bench.settle() }
    #expect(bench.store.digests.count == 1)
    #expect(bench.source.calls.filter { $0.hasPrefix("acknowledge") }.count == 1)
  }

  @Test("messages that cannot be stored are counted by reason and do not block the queue")
  func refusals() throws {
    let bench = Bench()
    bench.send([0xFF, 0x00])
    bench.source.add(Bench.digest(1), key: "fleet.v1.0.berlin.door", queue: Bench.queue)
    bench.source.add(Bench.digest(1), key: Bench.address.routingKey, queue: (Bench.queue + 1) % 8)
    bench.source.add(Bench.digest(1), key: FleetAddress(site: "berlin", device: "other")?.routingKey ?? "", queue: Bench.queue)
    bench.send(Bench.digest(1 << 40))
    bench.send(Bench.digest(1))
    try bench.settle()
    #expect(bench.store.refused(.undecodable) == 1 && bench.store.refused(.topic) == 2 && bench.store.refused(.unknown) == 1)
    #expect(bench.store.refused(.future) == 1 && bench.store.digests.count == 1)
  }

  @Test("a revoked device is refused after the next batch")
  func revoked() throws {
    let bench = Bench()
    for sequence: Int64 in 1...4 {
      if sequence == 3 {
        bench.store.enrolled[Bench.address]?.isRevoked = true
        bench.store.revision += 1
      }
      bench.send(Bench.digest(sequence))
      try bench.settle()
    }
    #expect(bench.store.digests.map(\.sequence) == [1, 2, 3])
    #expect(bench.store.refused(.revoked) == 1)
  }

  @Test("the store learns of a new numbering of digests, once")
  func numberings() throws {
    let bench = Bench()
    for sequence: Int64 in 1...3 {
      bench.send(Bench.digest(sequence, journal: sequence == 3 ? 2 : 1))
      try bench.settle()
    }
    #expect(bench.store.batches.map { $0.newNumberings[7]?.count ?? 0 } == [1, 0, 1])
  }

  @Test("a clock in 1970 does not move a beacon's time")
  func clock() throws {
    let bench = Bench()
    bench.send(Bench.digest(1, time: 5000))
    try bench.settle()
    #expect(bench.store.states.values.allSatisfy { $0.lastSeen >= 1_700_000_000_000 })
    #expect(bench.store.digests.first?.time == 5000)
  }

  @Test("two devices with one identity are noticed")
  func clone() throws {
    let bench = Bench()
    for sequence: Int64 in 1...3 {
      bench.send(Bench.digest(sequence, journal: 1))
      bench.send(Bench.digest(sequence, journal: 2))
    }
    try bench.settle()
    #expect(bench.store.batches.last?.devices[7]?.numbering.looksCloned(at: bench.clock.rowTime) == true)
  }

  @Test("a beacon that a device with a room hears comes to that room, with a reason")
  func room() throws {
    let bench = Bench()
    bench.store.placed = [SiteDevice(id: 7, room: "hall")]
    for sequence: Int64 in 1...10 {
      bench.send(Bench.digest(sequence, time: bench.clock.rowTime))
      try bench.settle()
      bench.clock.uptime += .seconds(2)
    }
    let changes = bench.store.batches.flatMap(\.roomChanges)
    #expect(changes.map(\.to) == ["hall"])
    #expect(
      changes.first?.reason
        == #"{"kind":"appeared","text":"appeared in hall: device 7 hears it at -60 dBm (usually -70 nearby)","device":7,"level":-60.0,"usualLevel":-70.0}"#
    )
    #expect(bench.store.batches.last?.beacons.first?.room == "hall")
    #expect(bench.store.batches.last?.beacons.first?.roomState != nil)
  }

  @Test("sightings of beacons beyond the limit of a site are not stored")
  func beaconLimit() throws {
    let bench = Bench()
    bench.store.mostBeacons = 2
    for sequence: Int64 in 1...5 { bench.send(Bench.digest(sequence, minor: UInt16(sequence))) }
    try bench.settle()
    #expect(bench.store.states.count == 2 && bench.store.digests.count == 5)
  }

  @Test("a full site is asked for a beacon once a minute, and replaces a silent one then")
  func fullSite() throws {
    let bench = Bench()
    bench.store.mostBeacons = 1
    for sequence: Int64 in 1...4 {
      bench.send(Bench.digest(sequence, time: bench.clock.rowTime, minor: sequence == 1 ? 1 : 2))
      try bench.settle()
      #expect(bench.store.beaconQueries == min(2, sequence))
    }
    bench.clock.uptime += .seconds(61)
    for sequence: Int64 in 5...7 {
      bench.send(Bench.digest(sequence, time: bench.clock.rowTime, minor: sequence == 7 ? 1 : 2))
      try bench.settle()
    }
    #expect(bench.store.states.map(\.key.beacon.minor) == [2] && bench.store.states.values.map(\.sightings) == [2])
  }

  @Test("a queue without a delivery is subscribed to again with growing pauses, and one with deliveries after ten minutes")
  func silence() throws {
    let bench = Bench()
    while bench.clock.seconds < 29 { try bench.session.step() }
    #expect(!bench.source.calls.contains("close 1"))
    bench.source.calls = []
    var sequence: Int64 = 0
    while bench.clock.seconds < 1_000 {
      sequence += 1
      bench.send(Bench.digest(sequence))
      try bench.settle()
      bench.clock.uptime += .seconds(5)
    }
    let closes = bench.source.calls.filter { $0.hasPrefix("close") }
    for queue in 0..<8 {
      #expect((queue == Bench.queue ? 1...2 : 4...7).contains(closes.filter { $0 == "close \(queue)" }.count))
    }
    #expect(bench.source.calls.filter { $0.hasPrefix("open") }.count == closes.count)
  }
}
