import Beacons
import FleetMessages
import Instants
import Testing

@testable import FleetReporting

@Suite struct DigestCollectorTests {
  let start = Instant(microseconds: 5_000_000)
  /// The clock of a capture, which is not that of the machine.
  let captured = Instant(microseconds: 1_000_000_000_000_000)

  func report(_ minor: UInt16, seen: Double, rssi: Double? = -61.4, distance: Double? = 1.234) -> BeaconReport {
    var report = BeaconReport()
    (report.uuid, report.major, report.minor) = (BeaconUUID(high: 1, low: 2), 3, minor)
    (report.rssi, report.distance, report.rate, report.lastSeen) = (rssi, distance, 9.96, captured + .seconds(seen))
    return report
  }

  @Test func `a digest has the beacons that were received since the one before, with the age of the last packet`() {
    var collector = DigestCollector(at: start)
    collector.take([report(1, seen: 0.75), report(2, seen: -3)], of: captured + .seconds(1), at: start + .seconds(1))
    let digest = collector.close(at: start + .seconds(2))
    let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 3, minor: 1)
    #expect(digest == [[FleetSighting(beacon: beacon, level: -61, distance: 123, rate: 100, age: 1250)]])
    collector.take([report(1, seen: 0.75)], of: captured + .seconds(3), at: start + .seconds(3))
    #expect(collector.close(at: start + .seconds(3)) == [])
  }

  @Test func `beacons beyond twenty take more messages, and beyond a thousand are left out`() {
    var collector = DigestCollector(at: start)
    collector.take((0..<1100).map { report($0, seen: 0.5) }, of: captured + .seconds(1), at: start + .seconds(1))
    let digest = collector.close(at: start + .seconds(1))
    #expect(digest.count == 50)
    #expect(digest.allSatisfy { $0.count == 20 })
  }

  @Test func `values beyond every limit, and beacons without a level, cause no crash`() {
    var collector = DigestCollector(at: start)
    collector.take(
      [report(1, seen: 0.5, rssi: .nan, distance: .infinity), report(2, seen: 0.5, rssi: nil), report(3, seen: 9e9, rssi: -1e9)],
      of: captured + .seconds(1), at: start + .seconds(1))
    #expect(collector.close(at: start + .seconds(1)).first?.map(\.level) == [-128, -128])
  }
}
