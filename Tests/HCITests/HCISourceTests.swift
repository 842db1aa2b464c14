import BeaconAdvertising
import Beacons
import EventLoop
import Glibc
import Instants
import Records
import TestSupport
import Testing

@testable import HCI

@Suite struct HCISourceTests {
  let loop: Loop
  let peer: PacketPeer

  init() throws {
    loop = try Loop()
    peer = try PacketPeer()
  }

  /// Sends the packets, ends, and returns the sightings in their batches.
  private func batches(of packets: [[UInt8]], from source: HCISource) throws -> [[Sighting]] {
    let feed = Holder<IOSource>()
    defer { feed.value = nil }
    var batches: [[Sighting]] = []
    source.onSightings = { batches.append($0) }
    let last: HCISource.State = try loop.value { done in
      source.onStateChange = done
      feed.value = try peer.send(packets, then: peer.end, on: loop)
    }
    #expect(last == .gone(.ended("hci7")))
    return batches
  }

  @Test func `the packets in the socket come as one batch in order, with one time and the adapter's number`() throws {
    let source = try peer.source(loop, number: 3)
    for minor in 1...5 as ClosedRange<UInt8> { peer.send(Packets.iBeacon(minor: minor)) }
    let before = loop.now
    let heard: [Sighting] = try loop.value { source.onSightings = $0 }
    #expect(heard.map(\.beacon.minor) == [1, 2, 3, 4, 5])
    #expect(heard.allSatisfy { $0.adapter == 3 && $0.rssi == -70 && $0.measuredPower == -59 })
    #expect(Set(heard.map(\.time)).count == 1)
    #expect(heard.allSatisfy { (before...loop.now).contains($0.time) })
  }

  @Test func `a recording gets every packet unchanged, including packets without reports`() throws {
    let source = try peer.source(loop)
    let sent = [Packets.iBeacon(minor: 1), [0x04, 0x3E, 0x02, 0x03, 0x00], Packets.iBeacon(minor: 2)]
    var packets: [[UInt8]] = []
    source.onPacket = { packet, _ in packets.append(packet.withUnsafeBytes { Array($0) }) }
    _ = try batches(of: sent, from: source)
    #expect(packets == sent)
  }

  @Test func `a captured mixture yields exactly the iBeacons of its generator`() throws {
    let capture = try Fixture.octets("mixed-10k.btsnoop")
    let truth = try Fixture.text("mixed-10k.json")
    let source = try peer.source(loop)
    let heard = try batches(of: packets(of: capture), from: source).flatMap { $0 }
    #expect("\(heard.count { $0.format == .iBeacon })" == (try Fixture.member("ibeacon_strict", of: truth)))
    #expect("\(heard.count { $0.format == .altBeacon })" == (try Fixture.member("altbeacon", of: truth)))
    #expect("\(source.counts.packets)" == (try Fixture.member("packets", of: truth)))
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test func `a flood is read in bounded turns`() throws {
    let source = try peer.source(loop)
    let flood = (0..<3000).map { Packets.iBeacon(minor: UInt8($0 % 256)) }
    let batches = try batches(of: flood, from: source)
    #expect(batches.allSatisfy { $0.count <= 256 })
    #expect(batches.flatMap { $0 }.map(\.beacon.minor) == (0..<3000).map { $0 % 256 })
  }

  @Test func `malformed packets do not affect valid ones`() throws {
    let source = try peer.source(loop)
    let rounds = 200
    let packets = (0..<rounds).flatMap { round in Packets.malformed.flatMap { [$0, Packets.iBeacon(minor: UInt8(round))] } }
    let heard = try batches(of: packets, from: source).flatMap { $0 }
    #expect(heard.count == rounds * Packets.malformed.count)
    #expect(source.counts.packets == packets.count)
    let malformed = source.counts.malformed
    #expect(malformed[.eventLength] == 3 * rounds)
    #expect(malformed[.reportOverrun] == 2 * rounds)
    #expect(malformed[.legacyDataLength] == rounds)
  }

  @Test func `packets from before the end are delivered`() throws {
    let source = try peer.source(loop)
    #expect(try batches(of: [Packets.iBeacon(minor: 1)], from: source).flatMap { $0 }.count == 1)
  }

  @Test func `no sighting and no scan follow the end`() throws {
    let source = try peer.source(loop)
    #expect(try batches(of: [], from: source).isEmpty)
    source.onStateChange = { Issue.record("\($0)") }
    source.scan()
    source.stop()
    // Reports come in the first turns of the loop.
    try loop.run(for: .milliseconds(5))
  }

  @Test func `an idle source sleeps`() throws {
    let source = try peer.source(loop)
    for minor in 1...9 as ClosedRange<UInt8> { peer.send(Packets.iBeacon(minor: minor)) }
    _ = try loop.value { source.onSightings = $0 }
    let thisThread = __rusage_who_t(1)  // RUSAGE_THREAD
    var (before, after) = (rusage(), rusage())
    getrusage(thisThread, &before)
    // A source that does not sleep wakes up in each turn, thousands of times in 200 ms.
    try loop.run(for: .milliseconds(200))
    getrusage(thisThread, &after)
    #expect(after.ru_nvcsw - before.ru_nvcsw <= 3)
    withExtendedLifetime(source) {}
  }

  /// Returns the H4 packets of a btsnoop capture.
  ///
  /// A header of 16 octets comes first. 24 octets precede each packet, and the fifth to eighth of these are its length.
  private func packets(of capture: [UInt8]) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var start = 16
    while start + 24 <= capture.count {
      let length = capture[start + 4..<start + 8].reduce(0) { $0 << 8 | Int($1) }
      packets.append(Array(capture[start + 24..<start + 24 + length]))
      start += 24 + length
    }
    return packets
  }
}
