import BeaconAdvertising
import Beacons
import Events
import Instants
import Proximity
import Ranging
import Records
import Regions
import TestSupport
import Testing

@Suite struct EntryTests {
  let three = BeaconRegion.Entry(sightings: 3, within: .seconds(10))

  @Test func `an enter requires three sightings within ten seconds`() {
    var venue = Venue(Venue.region(entry: three))
    for time in [0, 6, 12, 18, 22] as [Double] { venue.hear(time) }
    #expect(venue.log == ["22.0 hall enter inside sighting"])
  }

  @Test func `sightings exactly ten seconds apart count`() {
    var venue = Venue(Venue.region(entry: three))
    for time in [0, 5, 10] as [Double] { venue.hear(time) }
    #expect(venue.log == ["10.0 hall enter inside sighting"])
  }

  @Test func `sightings of any beacon of the region and by any adapter count`() {
    var venue = Venue(Venue.region(entry: three))
    venue.hear(0, minor: 1)
    venue.hear(1, minor: 2, adapter: 1)
    venue.hear(2, minor: 3, adapter: 2)
    #expect(venue.log == ["2.0 hall enter inside sighting"])
  }

  @Test func `stray sightings do not keep an unknown region from becoming outside`() {
    var venue = Venue(Venue.region(entry: three))
    for time in stride(from: 0.0, to: 60, by: 8) { venue.hear(time) }
    #expect(venue.log == ["30.0 hall state outside silence"])
  }

  @Test func `one sighting keeps a region inside, and restores it after a loss`() {
    var venue = Venue(Venue.region(entry: three))
    for time in [0, 1, 2, 31, 60] as [Double] { venue.hear(time) }
    venue.reception(.lost, at: 61)
    venue.reception(.hearing, at: 62)
    venue.hear(63)
    #expect(
      venue.log == ["2.0 hall enter inside sighting", "61.0 hall state unknown receiverLost", "63.0 hall state inside sighting"])
  }

  @Test func `an enter after an exit requires as many sightings again`() {
    var venue = Venue(Venue.region(entry: three))
    for time in [0, 1, 2, 40, 41, 42] as [Double] { venue.hear(time) }
    #expect(venue.log == ["2.0 hall enter inside sighting", "32.0 hall exit outside silence", "42.0 hall enter inside sighting"])
  }

  @Test func `the sightings of a region with a distance count once the distance has held`() {
    var venue = Venue(Venue.region(within: 3, entry: BeaconRegion.Entry(sightings: 11, within: .seconds(5))))
    venue.hear(from: 0, to: 5, metres: 1)
    #expect(venue.log == ["3.0 hall enter inside approach"])
  }
}

@Suite struct MinimumRSSITests {
  @Test func `a weak beacon neither enters a region nor keeps it inside`() {
    var venue = Venue(Venue.region(minimumRSSI: -79))
    venue.hear(from: 0, to: 10, metres: 20)
    #expect(venue.log.isEmpty)
    venue.hear(from: 20, to: 25, metres: 1)
    venue.hear(from: 25, to: 70, metres: 20)
    #expect(venue.log.first == "20.0 hall enter inside sighting")
    #expect(venue.log.last?.hasSuffix("hall exit outside silence") == true)
  }

  @Test(arguments: [(-59.0, true), (-58.9, false)])
  func `a level at the limit counts`(minimum: Double, isInside: Bool) {
    var venue = Venue(Venue.region(minimumRSSI: minimum))
    venue.hear(0, metres: 1)
    #expect((venue.engine.watch("hall")?.state == .inside) == isInside)
  }

  @Test func `a sighting without an RSSI does not count`() {
    var venue = Venue(Venue.region(minimumRSSI: -127))
    venue.hear(0, rssi: nil)
    #expect(venue.log.isEmpty)
  }
}

@Suite struct DwellTests {
  @Test func `a dwell is reported once, with the first sighting after the dwell time`() {
    var venue = Venue(Venue.region(dwell: 120))
    for time in stride(from: 0.5, to: 400, by: 7) { venue.hear(time) }
    #expect(venue.log == ["0.5 hall enter inside sighting", "126.5 hall dwell inside stay"])
  }

  @Test func `a beacon last heard before the dwell time causes no dwell`() {
    var venue = Venue(Venue.region(exitDelay: 60, dwell: 120))
    venue.hear(0)
    venue.hear(50)
    venue.hear(100)
    venue.pass(to: 500)
    #expect(venue.log == ["0.0 hall enter inside sighting", "160.0 hall exit outside silence"])
  }

  @Test func `every visit has its own dwell`() {
    var venue = Venue(Venue.region(dwell: 10))
    for time in [0, 5, 12, 100, 105, 111] as [Double] { venue.hear(time) }
    #expect(venue.log.filter { $0.contains("dwell") } == ["12.0 hall dwell inside stay", "111.0 hall dwell inside stay"])
  }

  @Test func `unknown time does not count towards a dwell, and a pause does`() {
    var venue = Venue(Venue.region(dwell: 60))
    venue.hear(0)
    venue.reception(.paused, at: 10)
    venue.reception(.hearing, at: 20)
    venue.hear(25)
    venue.reception(.lost, at: 30)
    venue.reception(.hearing, at: 60)
    venue.hear(70)
    venue.hear(99)
    #expect(venue.log.last == "70.0 hall state inside sighting")
    venue.hear(100)
    #expect(venue.log.last == "100.0 hall dwell inside stay")
  }

  @Test func `a dwell event contains the dwell time`() throws {
    var venue = Venue(Venue.region(dwell: 10))
    venue.hear(0)
    var engine = venue.engine
    venue.hear(11)
    #expect(venue.log.last == "11.0 hall dwell inside stay")
    engine.ingest(
      Sighting(
        beacon: BeaconIdentity(uuid: Venue.uuid, major: 1, minor: 1), measuredPower: -59, rssi: nil, time: Instant(microseconds: 11_000_000)
      ))
    let reason = try #require(engine.drainEvents().last?.event().record["reason"]?.record)
    #expect(reason["cause"]?.text == "stay" && reason["dwell"]?.text == "10s" && reason["exitDelay"] == nil)
  }
}

@Suite struct AssumedStateTests {
  @Test func `a region assumed inside has no event when its beacon is heard`() {
    var venue = Venue(Venue.region(assumed: .inside))
    #expect(venue.engine.watch("hall")?.state == .inside)
    venue.hear(5)
    #expect(venue.log.isEmpty)
    venue.pass(to: 100)
    #expect(venue.log == ["35.0 hall exit outside silence"])
  }

  @Test func `a region assumed inside exits after silence`() {
    var venue = Venue(Venue.region(assumed: .inside))
    venue.pass(to: 100)
    #expect(venue.log == ["30.0 hall exit outside silence"])
  }

  @Test func `a region assumed outside has no event in silence`() {
    var venue = Venue(Venue.region(assumed: .outside))
    venue.pass(to: 100)
    #expect(venue.log.isEmpty)
    venue.hear(101)
    #expect(venue.log == ["101.0 hall enter inside sighting"])
  }

  @Test(arguments: [RegionState.inside, .outside])
  func `an assumed state is kept during a loss of hearing`(assumed: RegionState) {
    var venue = Venue(Venue.region(assumed: assumed))
    venue.reception(.lost, at: 1)
    venue.pass(to: 100)
    venue.reception(.hearing, at: 100)
    venue.pass(to: 129)
    #expect(venue.log.isEmpty)
    #expect(venue.engine.watch("hall")?.state == assumed)
    venue.pass(to: 131)
    #expect(venue.log == (assumed == .inside ? ["130.0 hall exit outside silence"] : []))
  }

  @Test(arguments: [RegionState.inside, .outside])
  func `a confirmed state becomes unknown during a loss of hearing`(assumed: RegionState) {
    var venue = Venue(Venue.region(assumed: assumed))
    if assumed == .inside { venue.hear(29) }
    venue.pass(to: 40)
    venue.reception(.lost, at: 50)
    #expect(venue.log == ["50.0 hall state unknown receiverLost"])
  }
}

@Suite struct RedefinitionTests {
  func redefine(_ venue: inout Venue, _ region: BeaconRegion, at seconds: Double) {
    venue.engine.replaceRegions(with: [.beacon(region)], at: Instant(microseconds: 0) + .seconds(seconds))
  }

  @Test func `a region redefined with other beacons has no exit and no second enter`() {
    var venue = Venue(Venue.region(major: 1))
    venue.hear(0)
    redefine(&venue, Venue.region(major: 2), at: 10)
    #expect(venue.engine.watch("hall")?.state == .unknown)
    venue.hear(15, major: 2)
    #expect(venue.log == ["0.0 hall enter inside sighting", "15.0 hall state inside sighting"])
  }

  @Test func `a region redefined with other beacons in silence exits once`() {
    var venue = Venue(Venue.region(major: 1))
    venue.hear(0)
    redefine(&venue, Venue.region(major: 2), at: 10)
    for time in stride(from: 11.0, to: 100, by: 5) { venue.hear(time) }
    #expect(venue.log == ["0.0 hall enter inside sighting", "40.0 hall exit outside silence"])
  }

  @Test func `a dwell that is configured later counts from the enter, and is reported once`() {
    var venue = Venue(Venue.region())
    venue.hear(0)
    venue.hear(20)
    redefine(&venue, Venue.region(dwell: 30), at: 21)
    for time in [25, 35] as [Double] { venue.hear(time) }
    redefine(&venue, Venue.region(dwell: 40), at: 36)
    for time in [45, 55] as [Double] { venue.hear(time) }
    #expect(venue.log == ["0.0 hall enter inside sighting", "35.0 hall dwell inside stay"])
  }

  @Test func `a learned exit delay survives a changed definition`() {
    var venue = Venue(Venue.region(learns: true))
    venue.hear(0)
    venue.hear(25)
    redefine(&venue, Venue.region(learns: true, dwell: 600), at: 26)
    #expect(venue.engine.watch("hall")?.beacon?.exitDelay == .seconds(75))
    venue.pass(to: 200)
    #expect(venue.log.last == "100.0 hall exit outside silence")
  }
}
