import Beacons
import FleetMessages
import Ingest
import Partitions
import Rooms
import Streams
import Testing

@Suite struct LearnedSiteTests {
  @Test("a new site has learned levels after an hour, although its worker subscribes to its queues again and again")
  func firstHour() throws {
    let bench = Bench()
    bench.store.placed = [SiteDevice(id: 7, room: "hall", floor: nil)]
    for sequence in 1...2200 as ClosedRange<Int64> {
      bench.clock.uptime += 1000
      bench.send(Bench.digest(sequence, time: bench.clock.wallTime))
      try bench.settle()
    }
    #expect(bench.clock.uptime > 3_700_000)
    #expect(bench.source.calls.count { $0 == "close \(Bench.queue)" } > 2)
    #expect(bench.store.batches.compactMap { $0.offsets[3] }.contains { $0.count > 1 })
  }
}
