import BeaconAdvertising
import BeaconHealth
import Beacons
import Foundation
import Instants
import Testing

/// Changed levels, batteries and places of expected beacons.
struct LevelTests {
  /// Sites of beacons at an interval of 30 s, so that days pass quickly.
  private static func slowSite(_ beacons: Int = 8) -> Site {
    var site = Site(beacons: beacons, interval: 30)
    (site.loss, site.burst) = (0.1, 30)
    site.run(seconds: 60 * 3600)
    return site
  }

  @Test func `a beacon that is suddenly much weaker or louder seems to have moved, and its return is reported`() {
    var site = Self.slowSite()
    site.transmitters[1].level -= 16
    site.transmitters[2].level += 16
    site.run(seconds: 5 * 3600)
    #expect(site.texts == [])
    site.run(seconds: 3 * 3600)
    #expect(site.texts == ["moved 1/1", "moved 1/2"])
    let evidence = site.findings.first?.evidence
    #expect(evidence?.cause == .level && abs((evidence?.usualLevel ?? 0) + 61) < 2 && abs((evidence?.level ?? 0) + 77) < 5)
    site.transmitters[1].level += 16
    site.run(seconds: 8 * 3600)
    #expect(site.texts == ["moved 1/1", "moved 1/2", "moved 1/1 ended"])
  }

  @Test func `a beacon whose level falls over days is weak`() {
    var site = Self.slowSite()
    for _ in 0..<(9 * 24) {
      site.transmitters[3].level -= 0.07
      site.run(seconds: 3600)
    }
    #expect(site.texts == ["weak 1/3"])
    #expect(site.findings.first?.evidence.cause == .level)
  }

  @Test func `a changed receiver and daily changes are not a fault of the beacons`() {
    var site = Site(beacons: 8, interval: 30)
    (site.loss, site.burst) = (0.1, 30)
    for hour in 0..<(6 * 24) {
      // A door hides two beacons in the night.
      site.transmitters[0].level = hour % 24 < 10 ? -72 : -60
      site.transmitters[1].level = hour % 24 < 10 ? -73 : -61
      if hour == 4 * 24 { site.deafness = 12 }
      site.run(seconds: 3600)
    }
    #expect(site.texts == [])
  }

  @Test func `the voltage of telemetry from the address of a beacon decides about its battery`() {
    var site = Site(beacons: 3)
    site.loss = 0
    func send(_ voltage: Double, _ address: UInt32, _ site: inout Site) {
      for _ in 0..<3 {
        site.monitor.take([BeaconTelemetry(transmitter: address, voltage: voltage, temperature: 21.5, time: site.time)])
        site.run(seconds: 12)
      }
    }
    site.run(seconds: 10)
    send(2.1, 77, &site)
    #expect(site.texts == [] && site.monitor.states[1].evidence.voltage == nil)
    send(2.1, 1001, &site)
    #expect(site.texts == ["weak 1/1"])
    #expect(site.findings.first?.evidence.voltage == 2.1 && site.findings.first?.evidence.temperature == 21.5)
    send(2.25, 1001, &site)
    #expect(site.texts == ["weak 1/1"])
    send(3, 1001, &site)
    #expect(site.texts == ["weak 1/1", "weak 1/1 ended"])
  }

  @Test func `telemetry waits ten seconds for an advertisement from its address`() {
    for (delay, isMatched) in [(5.0, true), (15.0, false)] {
      var site = Site(beacons: 1)
      site.loss = 0
      site.transmitters[0].isOn = false
      site.run(seconds: 3)
      site.monitor.take([BeaconTelemetry(transmitter: 1000, voltage: 3, temperature: nil, time: site.time)])
      site.run(seconds: delay)
      site.transmitters[0].isOn = true
      site.run(seconds: 3)
      #expect((site.monitor.states[0].evidence.voltage != nil) == isMatched)
    }
  }

  @Test func `a beacon far from its place on the plan seems to have moved`() {
    var site = Site(beacons: 2, settings: BeaconHealthSettings(problems: [.moved]))
    site.run(seconds: 10)
    site.monitor.note(misplaced: [Site.beacon(1): 12], at: site.time)
    site.monitor.note(misplaced: [Site.beacon(1): 13], at: site.time)
    site.monitor.note(misplaced: [:], at: site.time)
    #expect(site.monitor.takeFindings().map(\.hasEnded) == [false, true])
  }
}
