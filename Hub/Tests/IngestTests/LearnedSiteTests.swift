import Beacons
import FleetMessages
import Ingest
import Instants
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
      bench.clock.uptime += .seconds(1)
      bench.send(Bench.digest(sequence, time: bench.clock.rowTime))
      try bench.settle()
    }
    #expect(bench.clock.seconds > 3_700)
    #expect(bench.source.calls.count { $0 == "close \(Bench.queue)" } > 2)
    #expect(bench.store.batches.compactMap { $0.offsets[3] }.contains { Self.areLevels($0) })
  }

  @Test("a new site has learned levels after an hour, although another worker takes its queue every ten minutes")
  func takeovers() throws {
    let bench = Bench()
    bench.store.placed = [SiteDevice(id: 7, room: "hall", floor: nil)]
    var (session, takeover, sequence) = (bench.session, 600.0, Int64(0))
    while bench.clock.seconds < 4_300 {
      bench.clock.uptime += .seconds(1)
      sequence += 1
      bench.send(Bench.digest(sequence, time: bench.clock.rowTime))
      try bench.settle(session)
      let written = bench.store.batches.compactMap { $0.offsets[3] }
      #expect(bench.clock.seconds > 3_600 || !written.contains { Self.areLevels($0) })
      guard bench.clock.seconds > takeover else { continue }
      takeover += 600
      bench.store.offsets[3] = written.last
      session = Bench.session(bench.store, bench.source, bench.clock)
    }
    #expect(bench.store.batches.compactMap { $0.offsets[3] }.contains { Self.areLevels($0) })
  }

  /// Whether octets are those of learned levels, not those of a first hour that lasts.
  private static func areLevels(_ octets: [UInt8]) -> Bool { octets.count > 1 && octets[0] == 1 }
}
