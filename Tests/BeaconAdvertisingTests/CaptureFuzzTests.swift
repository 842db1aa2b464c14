import BeaconAdvertising
import Instants
import Records
import TestSupport
import Testing

/// Hostile input never traps, its counts add up, and chunking changes nothing.
///
/// The seed is the test's argument, so that a failure names it.
@Suite struct CaptureFuzzTests {
  static let seeds: [UInt64] = Array(1...24)

  @Test(arguments: seeds)
  func `damaged captures decode the same in chunks of any size`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = ["multi-400.btsnoop", "mixed-10k.monitor.btsnoop", "mixed-10k.btsnoop"][Int(seed % 3)]
    var capture = Array(try Fixture.octets(fixture).prefix(20_000))
    capture.damage(keeping: 16, using: &random)
    let whole = decode(capture: capture)
    expectConsistent(whole)
    for longest in [1, 7, 40, 3000] {
      let chunked = decode(capture: capture, chunks: { Int.random(in: 1...longest, using: &random) })
      #expect(chunked == whole, "seed \(seed), chunks of at most \(longest)")
    }
  }

  @Test(arguments: seeds)
  func `noise after a header is harmless`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let header = Octets.btsnoop(dataLink: [1001, 1002, 2001][Int(seed % 3)])
    expectConsistent(decode(capture: header + .noise(Int.random(in: 0...5000, using: &random), using: &random)))
    expectConsistent(decode(capture: .noise(64, using: &random)))
  }

  @Test(arguments: seeds)
  func `hostile events are harmless`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let events = (0..<2000).map { _ in Self.hostileEvent(using: &random) }
    expectConsistent(decode(events: events))
  }

  @Test(arguments: seeds)
  func `an iBeacon is found after any well-formed structures`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var data: [UInt8] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let body: [UInt8] = .noise(Int.random(in: 0...40, using: &random), using: &random)
        data += [UInt8(body.count + 1), 0x09] + body
      }
      let minor = UInt8.random(in: 0...255, using: &random)
      let decoded = decode(event: Octets.extendedEvent(Octets.extendedReport(data + Octets.iBeacon(minor: minor))))
      #expect(decoded.minors == [UInt16(minor)], "seed \(seed)")
    }
  }

  private static func hostileEvent(using random: inout SeededGenerator) -> [UInt8] {
    let data: [UInt8] =
      Bool.random(using: &random) ? Octets.flags + Octets.iBeacon() : .noise(Int.random(in: 0...60, using: &random), using: &random)
    let reports = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      Octets.extendedReport(data, type: .random(in: 0...0x7F, using: &random), address: .random(in: 0...3, using: &random))
    }
    var event = Bool.random(using: &random) ? Octets.event(subevent: 0x0D, reports: reports) : Octets.legacyEvent(Octets.legacyReport(data))
    if Int.random(in: 0..<3, using: &random) == 0 { event.damage(keeping: 0, using: &random) }
    return event
  }

  private func expectConsistent(_ decoded: Decoded, sourceLocation: SourceLocation = #_sourceLocation) {
    let counts = decoded.counts
    #expect(counts.packets == counts.events + counts.passedOver + counts.malformed[.eventLength], sourceLocation: sourceLocation)
    #expect(counts.reports == counts.kinds.total + counts.joinedFragments + counts.droppedFragments, sourceLocation: sourceLocation)
    #expect(counts.beacons.total == decoded.sightings.count, sourceLocation: sourceLocation)
    #expect(counts.iBeacons >= counts.kinds[.iBeacon], sourceLocation: sourceLocation)
    #expect(decoded.sightings.allSatisfy { $0.rssi.map { (-127...20).contains($0) } ?? true }, sourceLocation: sourceLocation)
    #expect(zip(decoded.sightings, decoded.sightings.dropFirst()).allSatisfy { $0.time <= $1.time }, sourceLocation: sourceLocation)
  }
}

extension Array<UInt8> {
  fileprivate static func noise(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Flips, removes and inserts at most one in a few hundred octets, so that much of the structure survives.
  fileprivate mutating func damage(keeping kept: Int, using random: inout SeededGenerator) {
    for _ in 0...Swift.max(1, count / 600) where count > kept {
      let place = Int.random(in: kept..<count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: remove(at: place)
      case 1: insert(UInt8.random(in: 0...255, using: &random), at: place)
      case 2: removeLast(Swift.min(count - place, 5))
      default: self[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
    }
  }
}
