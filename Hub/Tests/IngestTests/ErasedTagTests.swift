import Beacons
import FleetMessages
import Ingest
import Instants
import Testing

@Suite struct ErasedTagTests {
  private static func sightings(_ octets: [UInt8]) throws -> [UInt16] {
    guard case .digest(let sightings) = try FleetMessage(octets).body else { return [] }
    return sightings.map(\.beacon.minor)
  }

  @Test("a digest is stored without an erased tag, and with it when the suppression has ended")
  func digest() throws {
    let bench = Bench()
    let erased = BeaconKey(site: 3, beacon: BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 5))
    bench.store.erased = [erased]
    for (sequence, minor) in [(1, 1), (2, 5), (3, 1)] as [(Int64, UInt16)] { bench.send(Bench.digest(sequence, minor: minor)) }
    try bench.settle()
    #expect(try bench.store.batches.flatMap { try $0.digests.flatMap { try Self.sightings($0.body) } } == [1, 1])
    #expect(bench.store.digests.map(\.sequence) == [1, 2, 3] && bench.store.states[erased] == nil)

    bench.store.erased = []
    bench.clock.uptime += .seconds(61)
    bench.send(Bench.digest(4, minor: 5))
    try bench.settle()
    #expect(try bench.store.batches.last?.digests.flatMap { try Self.sightings($0.body) } == [5])
    #expect(bench.store.states[erased]?.sightings == 1)
  }
}
