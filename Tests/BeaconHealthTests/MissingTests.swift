import BeaconHealth
import Beacons
import Foundation
import Instants
import Regions
import Testing

/// Silence of expected beacons.
struct MissingTests {
  private static let isSoak = ProcessInfo.processInfo.environment["BEACONMON_SOAK"] != nil

  @Test func `a beacon that stops is missing within three of its longest gaps, and found when it is heard again`() {
    var site = Site(beacons: 6)
    site.run(seconds: 6 * 3600)
    #expect(site.texts == [])
    let gap = site.monitor.states[2].evidence.longestGap ?? .zero
    let last = site.monitor.states[2].evidence.lastSeen ?? Site.start
    site.transmitters[2].isOn = false
    site.run(seconds: 3 * gap.seconds)
    #expect(site.texts == ["missing 1/2"])
    let found = site.findings.first
    #expect(found.map { $0.time - last <= gap * 3 + .seconds(20) } ?? false)
    #expect(found?.evidence.cause == .silence && found?.evidence.longestGap == gap)
    site.transmitters[2].isOn = true
    site.run(seconds: 120)
    #expect(site.texts == ["missing 1/2", "missing 1/2 ended"])
    #expect(site.findings.last?.evidence.cause == .sighting)
  }

  /// A day of beacons at an interval of 10 s; BEACONMON_SOAK lets 30 days pass at 5 s.
  @Test func `200 beacons that lose 60 percent in bursts cause no finding`() {
    var site = Site(beacons: 200, interval: Self.isSoak ? 5 : 10, seed: 42)
    for index in site.transmitters.indices where index % 3 == 0 { site.transmitters[index].rotatesAddress = true }
    for _ in 0..<(Self.isSoak ? 30 : 1) { site.run(seconds: 86_400) }
    #expect(site.texts == [])
    #expect(site.monitor.states.allSatisfy { $0.isLearned })
    let gaps = site.monitor.states.compactMap(\.evidence.longestGap).map(\.seconds)
    #expect(gaps.min() ?? 0 > 50 && gaps.max() ?? 0 < 500, "\(gaps.sorted())")
  }

  @Test func `silence does not count before an hour of listening`() {
    var site = Site(beacons: 4)
    site.run(seconds: 3000)
    site.transmitters[0].isOn = false
    site.run(seconds: 7200)
    #expect(site.texts == [])
  }

  @Test func `a beacon that was never heard is not missing`() {
    var site = Site(beacons: 4)
    site.transmitters[0].isOn = false
    site.run(seconds: 10_000)
    #expect(site.texts == [] && !site.monitor.states[0].isLearned)
  }

  @Test func `a device that moves reports no silence`() {
    var site = Site(beacons: 4, settings: BeaconHealthSettings(problems: Set(BeaconProblem.allCases)))
    site.run(seconds: 7200)
    site.transmitters[0].isOn = false
    site.run(seconds: 7200)
    #expect(site.texts == [])
  }

  @Test func `the silence of a paused, a lost and a stalled receiver counts for no beacon`() {
    var site = Site(beacons: 6)
    site.run(seconds: 2 * 3600)
    for reception in [AdapterReception(paused: .all), AdapterReception()] {
      site.isHearing = false
      site.monitor.setReception(reception, at: site.time)
      site.run(seconds: 1800)
      site.monitor.setReception(.allHear, at: site.time)
      site.run(seconds: 3)
      site.isHearing = true
      site.run(seconds: 600)
    }
    // The process did not run, and its clock went on.
    site.isHearing = false
    for transmitter in site.transmitters.indices { site.transmitters[transmitter].isOn = false }
    site.run(seconds: 1)
    site.monitor.skip(to: site.time + .seconds(4000))
    #expect(site.texts == [])
  }

  @Test func `a receiver that passes nothing on is not silence, and neither is one that loses most beacons at once`() {
    var site = Site(beacons: 10)
    site.run(seconds: 4 * 3600)
    site.isHearing = false
    site.run(seconds: 3600)
    site.isHearing = true
    site.run(seconds: 600)
    #expect(site.texts == [])
    // The receiver hears only three of ten.
    site.hears = { $0.beacon.minor < 3 }
    site.run(seconds: 1800)
    #expect(site.texts == [] && site.monitor.isReceiverSuspect)
    site.hears = { _ in true }
    site.run(seconds: 3600)
    #expect(site.texts == [] && !site.monitor.isReceiverSuspect)
  }

  @Test func `many beacons that lose their power at once are reported after an hour, while the others are heard`() {
    var site = Site(beacons: 10)
    site.run(seconds: 4 * 3600)
    for index in 0..<6 { site.transmitters[index].isOn = false }
    site.run(seconds: 3000)
    #expect(site.texts == [])
    site.run(seconds: 3600)
    #expect(site.texts.sorted() == (0..<6).map { "missing 1/\($0)" })
  }

  @Test func `a receiver that has become weak reports none of the beacons that it loses`() {
    var site = Site(beacons: 12, interval: 20)
    site.run(seconds: 50 * 3600)
    #expect(site.texts == [])
    site.deafness = 10
    site.hears = { $0.level > -69 }
    site.run(seconds: 3 * 3600)
    #expect(site.texts == [])
  }

  @Test func `an adapter that is gone for good is forgotten, and the beacons are learned without it`() {
    var site = Site(beacons: 6)
    site.run(seconds: 2 * 3600)
    site.isHearing = false
    site.monitor.setReception(AdapterReception(hearing: AdapterSet(1)), at: site.time)
    site.run(seconds: 3601)
    site.monitor.setReception(AdapterReception(hearing: AdapterSet([0, 1])), at: site.time)
    site.isHearing = true
    site.run(seconds: 1800)
    site.transmitters[0].isOn = false
    site.run(seconds: 1200)
    #expect(site.texts == [])
  }

  @Test func `learned values and a problem survive a restart`() {
    var site = Site(beacons: 6)
    site.run(seconds: 3 * 3600)
    site.transmitters[1].isOn = false
    site.run(seconds: 1800)
    #expect(site.texts == ["missing 1/1"])
    let learned = site.monitor.learned(name: { "adapter \($0)" }, wallClock: { $0 + .seconds(5e8) })
    #expect(learned.count == 6)
    var next = Site(beacons: 6, seed: 2)
    next.monitor.restore(learned) { $0 - .seconds(5e8) }
    next.monitor.resolve(name: { $0 == 3 ? "adapter 0" : nil }, most: 8)
    next.transmitters[1].isOn = false
    next.transmitters[2].isOn = false
    next.run(seconds: 900)
    #expect(next.texts == ["missing 1/2"])
    #expect(next.monitor.states[1].problems.first?.since == site.findings[0].time)
    next.transmitters[1].isOn = true
    next.run(seconds: 300)
    #expect(next.texts == ["missing 1/2", "missing 1/1 ended"])
  }

  @Test func `impossible learned values are ignored`() {
    let beacon = Site.beacon(0)
    var monitor = BeaconHealthMonitor(BeaconHealthSettings(problems: [.missing], isStationary: true))
    monitor.expect([beacon])
    let good: [Double] = [7200, 20, 30, 1, 0, 3, 20] + Array(repeating: .nan, count: 8)
    for (index, values) in [(0, [Double.nan, -1, .infinity, 1e300]), (1, [.nan, -5, 1e9]), (2, [.nan, .infinity])] {
      for value in values {
        var numbers = good
        numbers[index] = value
        monitor.restore([LearnedBeacon(beacon: beacon, numbers: numbers)]) { $0 }
        #expect(!monitor.states[0].isLearned, "\(numbers)")
      }
    }
    monitor.restore([LearnedBeacon(beacon: beacon, numbers: []), LearnedBeacon(beacon: Site.beacon(9), numbers: good)]) { $0 }
    #expect(!monitor.states[0].isLearned)
    var odd = good
    odd[5...8] = [-.infinity, 1e9, .infinity, -3]
    monitor.restore([LearnedBeacon(beacon: beacon, numbers: odd, levels: ["a": [.nan], "b": [1e9, 5, -5, 0, 0, 0, 0]])]) { $0 }
    monitor.resolve(name: { $0 < 2 ? ["a", "b"][Int($0)] : nil }, most: 4)
    #expect(monitor.states[0].isLearned && monitor.states[0].problems.isEmpty && monitor.states[0].evidence.voltage == nil)
  }
}
