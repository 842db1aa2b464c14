import BeaconHealth
import Beacons
import Foundation
import Instants
import Testing

/// Second transmitters with the identity of an expected beacon.
struct CopyTests {
  @Test(arguments: [1003, 9999] as [UInt32])
  func `a copy in another room is flagged within a minute, with the same address and with another one`(address: UInt32) {
    var site = Site(beacons: 6)
    site.loss = 0.2
    site.run(seconds: 2 * 3600)
    var copy = site.transmitters[3]
    (copy.address, copy.level, copy.next) = (address, copy.level - 20, copy.next + 0.43)
    site.transmitters.append(copy)
    site.run(seconds: 60)
    #expect(site.texts == ["duplicate 1/3"])
    let cause = site.findings.first?.evidence.cause
    #expect(address == 1003 ? cause == .phases || cause == .jumps : cause == .addresses)
    site.transmitters.removeLast()
    site.run(seconds: 700)
    #expect(site.texts == ["duplicate 1/3", "duplicate 1/3 ended"])
  }

  private static let isSoak = ProcessInfo.processInfo.environment["BEACONMON_SOAK"] != nil

  /// A beacon and its copy, which is 20 dB weaker.
  private struct Trial {
    private final class PacketLog {
      var packets: [(time: Double, isCopy: Bool)] = []
    }

    /// The seconds until the copy was flagged; infinite if it was not.
    let delay: Double
    /// Whether the beacon was heard after its copy within a minute.
    ///
    /// It must be heard twice, and so late that packets are in order. A copy alone could be the beacon itself with a new address.
    let isHeard: Bool

    init(seed: UInt64, address: UInt32, loss: Double, interval: Double) {
      var site = Site(beacons: 3, interval: interval, seed: seed)
      site.loss = loss
      site.run(seconds: 3700)
      var copy = site.transmitters[1]
      let phase = Double(seed % 17 + 2) / 20
      (copy.address, copy.level, copy.next, copy.periodEnd) = (address, copy.level - 20, copy.next + phase * interval, 0)
      site.transmitters.append(copy)
      let start = site.time
      let log = PacketLog()
      site.hears = { [beacon = copy.beacon, level = copy.level] transmitter in
        if transmitter.beacon == beacon { log.packets.append((transmitter.next - transmitter.interval, transmitter.level == level)) }
        return true
      }
      site.run(seconds: 180)
      delay = site.findings.first { $0.problem == .duplicate }.map { ($0.time - start).seconds } ?? .infinity
      let minute = log.packets.filter { $0.time <= (start - Site.start).seconds + 59 }
      let copies = minute.filter(\.isCopy).map(\.time).sorted()
      isHeard = copies.count >= 3 && minute.count { !$0.isCopy && $0.time > copies[0] + 5.1 } >= 2
    }
  }

  /// Both transmitters must be heard, so bursts of 12 s decide about the time. BEACONMON_SOAK prints more figures.
  @Test(arguments: [(1001, 0, 1), (1001, 0.3, 0.9), (1001, 0.6, 0.75), (9999, 0, 1), (9999, 0.3, 0.9), (9999, 0.6, 0.85)])
  func `a copy is flagged within a minute if both are heard, even in bursts`(address: UInt32, loss: Double, least: Double) {
    for interval in Self.isSoak ? [0.1, 0.5, 1, 2] : [1] {
      let trials = (1...UInt64(Self.isSoak ? 100 : 24)).map { Trial(seed: $0, address: address, loss: loss, interval: interval) }
      let delays = trials.map(\.delay).sorted()
      let inTime = delays.count { $0 <= 60 }
      #expect(Double(inTime) >= least * Double(delays.count) && delays.allSatisfy { $0 <= 180 }, "\(delays)")
      // An address that returns is found whenever that is possible.
      #expect(address == 1001 || trials.allSatisfy { !$0.isHeard || $0.delay <= 60 }, "\(delays)")
      guard Self.isSoak else { continue }
      let kind = address == 1001 ? "the same" : "another"
      print("copy with \(kind) address, loss \(loss), interval \(interval) s: \(inTime) of 100 in 60 s, median \(delays[50]) s")
    }
  }

  @Test func `a beacon behind a door that opens and closes is not a copy, even if the receiver passes packets on late`() {
    var site = Site(beacons: 4, seed: 5)
    (site.loss, site.lateness) = (0.2, 0.2)
    site.run(seconds: 3700)
    for number in 0..<400 {
      site.transmitters[1].level += number % 2 == 0 ? -20 : 20
      site.run(seconds: Double(5 + number * 7 % 40))
    }
    #expect(site.texts == [])
  }

  @Test func `packets in a wrong order at a change of the address are not a copy`() {
    var site = Site(beacons: 1)
    site.loss = 0
    site.run(seconds: 10)
    for address in [2000, 1000, 2000] as [UInt32] {
      site.transmitters[0].address = address
      site.run(seconds: 1)
    }
    site.run(seconds: 100)
    #expect(site.texts == [])
  }

  @Test func `a beacon that always uses two addresses at once is not a copy`() {
    var site = Site(beacons: 2)
    site.loss = 0.2
    var second = site.transmitters[0]
    (second.address, second.next) = (4711, second.next + 0.5)
    site.transmitters.append(second)
    site.run(seconds: 3 * 3600)
    #expect(site.texts == [])
  }

  @Test func `a beacon that advertises faster from now on is not a copy`() {
    var site = Site(beacons: 2)
    site.run(seconds: 3 * 3600)
    site.transmitters[0].interval = 0.1
    site.run(seconds: 3600)
    #expect(site.texts == [])
  }
}
