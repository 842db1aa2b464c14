import Instants
import Records
import TestSupport
import Testing

@testable import BeaconAdvertising

/// Recordings of random packets: a recording of iBeacons yields exactly the sightings of the packets.
///
/// The seed is the test's argument, so that a failure names it.
@Suite struct RecordingFuzzTests {
  @Test(arguments: UInt64(1)...24)
  func `a replay of a recording yields the original sightings and no other advertisements`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var live = AdvertisingReportDecoder()
    var sighted: [Sighting] = []
    var packets = RecordedPackets()
    var capture: [UInt8] = []
    for index in 0..<3000 {
      let packet = Self.packet(using: &random)
      let time = Instant(microseconds: Int64(index) * 1000)
      let adapter = UInt16.random(in: 0...1, using: &random)
      live.decode(packet: packet.span.bytes, adapter: adapter, time: time + RecordedPackets.epoch, into: &sighted)
      packets.hear(packet, adapter: adapter, at: time.microseconds)
      capture += packets.drain()
    }
    capture += packets.end(at: 3_000_000)
    let replayed = decode(capture: capture)
    #expect(replayed.error == nil && Records(capture).isWhole, "seed \(seed)")
    #expect(replayed.adapters == sighted.map { RecordedPackets.address(of: $0.adapter) }, "seed \(seed)")
    #expect(replayed.sightings.map(\.withoutAdapter) == sighted.map(\.withoutAdapter), "seed \(seed)")
    #expect(sighted.count > 500, "seed \(seed)")
    #expect(replayed.counts.kinds.total == replayed.counts.kinds[.iBeacon], "seed \(seed)")
  }

  @Test(arguments: ["mixed-10k.btsnoop", "multi-400.btsnoop"])
  func `a replay also yields the original sightings of a busy venue and of events with many reports`(fixture: String) throws {
    let octets = try Fixture.octets(fixture)
    let original = decode(capture: octets)
    var packets = RecordedPackets()
    var capture: [UInt8] = []
    for record in Records(octets).all {
      packets.hear(record.packet, at: record.time - RecordedPackets.epoch.microseconds)
      capture += packets.drain()
    }
    let replayed = decode(capture: capture + packets.end())
    #expect(replayed.sightings.map(\.withoutTransmitter) == original.sightings.map(\.withoutTransmitter))
    #expect(!original.sightings.isEmpty)
  }

  /// Returns a legacy or extended event: some with several reports, fragments in any order, or damage.
  private static func packet(using random: inout SeededGenerator) -> [UInt8] {
    let reports = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Bool.random(using: &random) ? Octets.flags + Octets.iBeacon(minor: .random(in: 0...9, using: &random)) : noise(40, &random)
    }
    var event: [UInt8]
    if Bool.random(using: &random) {
      event = Octets.event(subevent: 0x02, reports: reports.map { Octets.legacyReport(Array($0.prefix(31))) })
    } else {
      let extended = reports.map { data in
        Octets.extendedReport(
          Array(data.prefix(.random(in: 0...70, using: &random))), type: .random(in: 0...0x7F, using: &random),
          address: .random(in: 0...3, using: &random))
      }
      event = Octets.event(subevent: 0x0D, reports: extended)
    }
    if Int.random(in: 0..<3, using: &random) == 0, !event.isEmpty {
      event[Int.random(in: 0..<event.count, using: &random)] = .random(in: 0...255, using: &random)
    }
    return Octets.h4(Int.random(in: 0..<10, using: &random) == 0 ? Array(event.dropLast()) : event)
  }

  private static func noise(_ longest: Int, _ random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...longest, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
  }
}

extension Sighting {
  /// The sighting without its adapter number, because a capture numbers adapters in the order of their introduction.
  fileprivate var withoutAdapter: Sighting {
    var sighting = self
    sighting.adapter = 0
    return sighting.withoutTransmitter
  }

  /// The sighting without its transmitter, whose address a recording replaces.
  fileprivate var withoutTransmitter: Sighting {
    var sighting = self
    sighting.transmitter = 0
    return sighting
  }
}
