import BeaconAdvertising
import Beacons
import Events
import Instants
import Proximity
import Regions
import Testing

@Suite struct PresenceTests {
  @Test func `the first sighting causes an enter, and one exit delay of silence an exit at the deadline`() {
    var venue = Venue(Venue.region())
    venue.hear(2)
    venue.hear(10)
    venue.pass(to: 39.999999)
    #expect(venue.log == ["2.0 hall enter inside sighting"])
    venue.pass(to: 1000)
    #expect(venue.log == ["2.0 hall enter inside sighting", "40.0 hall exit outside silence"])
  }

  @Test func `a region is unknown at the start and outside without an exit after one exit delay`() {
    var venue = Venue(Venue.region())
    #expect(venue.engine.watch("hall")?.state == .unknown)
    venue.pass(to: 31)
    #expect(venue.log == ["30.0 hall state outside silence"])
    venue.hear(40)
    #expect(venue.log.last == "40.0 hall enter inside sighting")
  }

  @Test func `an exit precedes a sighting that is too late to prevent it`() {
    var venue = Venue(Venue.region())
    venue.hear(0)
    venue.hear(30)
    #expect(venue.log == ["0.0 hall enter inside sighting", "30.0 hall exit outside silence", "30.0 hall enter inside sighting"])
  }

  @Test func `a wildcard region stays inside while any beacon matches`() {
    var venue = Venue(Venue.region())
    venue.hear(from: 0, to: 20, minor: 1)
    venue.hear(from: 20, to: 60, minor: 2)
    venue.pass(to: 89.8)
    #expect(venue.log == ["0.0 hall enter inside sighting"])
    venue.pass(to: 90)
    #expect(venue.log.last == "89.9 hall exit outside silence")
    #expect(venue.engine.watch("hall")?.beacon?.lastSatisfied?.beacon.minor == 2)
  }

  @Test(
    arguments: [(nil, nil, true), (1, nil, true), (2, nil, false), (1, 5, true), (1, 6, false), (2, 5, false)] as [(UInt16?, UInt16?, Bool)]
  )
  func `major and minor restrict a region`(major: UInt16?, minor: UInt16?, isInside: Bool) {
    var venue = Venue(Venue.region(major: major, minor: minor))
    venue.hear(1, minor: 5, major: 1)
    #expect((venue.engine.watch("hall")?.state == .inside) == isInside)
  }

  @Test func `one beacon may enter several regions, in the order of their addition`() {
    var venue = Venue(
      Venue.region("one", major: 1, minor: 1), Venue.region("all"), Venue.region("other", major: 2), Venue.region("first", major: 1))
    venue.hear(1)
    #expect(venue.log == ["1.0 one enter inside sighting", "1.0 all enter inside sighting", "1.0 first enter inside sighting"])
  }

  @Test func `a muted crossing is reported as a state`() {
    var venue = Venue(Venue.region(notifyEntry: false, notifyExit: false))
    venue.hear(1)
    venue.pass(to: 100)
    #expect(venue.log == ["1.0 hall state inside sighting", "31.0 hall state outside silence"])
  }

  @Test func `exits come in the order of their deadlines, however late the time advances`() {
    var venue = Venue(Venue.region("slow", major: 1, minor: 1, exitDelay: 50), Venue.region("quick", major: 1, minor: 2, exitDelay: 5))
    venue.hear(0, minor: 1)
    venue.hear(1, minor: 2)
    venue.pass(to: 500)
    #expect(venue.log.suffix(2) == ["6.0 quick exit outside silence", "50.0 slow exit outside silence"])
  }

  @Test func `a sighting that arrives late counts as heard now`() {
    var venue = Venue(Venue.region())
    venue.pass(to: 29)
    venue.hear(3)
    #expect(venue.log == ["29.0 hall enter inside sighting"])
  }
}

@Suite struct ReceptionTests {
  @Test func `a dead receiver makes regions unknown, and visitors who stay enter once`() {
    var venue = Venue(Venue.region())
    venue.hear(1)
    venue.reception(.lost, at: 5)
    venue.pass(to: 500)
    venue.reception(.hearing, at: 600)
    venue.hear(601)
    #expect(venue.log == ["1.0 hall enter inside sighting", "5.0 hall state unknown receiverLost", "601.0 hall state inside sighting"])
  }

  @Test func `a visitor who left during a loss of hearing exits once, one exit delay after its end`() {
    var venue = Venue(Venue.region())
    venue.hear(1)
    venue.reception(.lost, at: 5)
    venue.reception(.hearing, at: 600)
    venue.pass(to: 5000)
    #expect(venue.log.suffix(2) == ["5.0 hall state unknown receiverLost", "630.0 hall exit outside silence"])
  }

  @Test func `a pause stops the exit clock and changes no state`() {
    var venue = Venue(Venue.region())
    venue.hear(0)
    venue.reception(.paused, at: 20)
    venue.pass(to: 500)
    venue.reception(.hearing, at: 520)
    venue.pass(to: 529.9)
    #expect(venue.log == ["0.0 hall enter inside sighting"])
    venue.pass(to: 530)
    #expect(venue.log.last == "530.0 hall exit outside silence")
  }

  @Test func `many short pauses do not keep a region unknown forever`() {
    var venue = Venue(Venue.region())
    for minute in 0..<5 {
      venue.reception(.paused, at: Double(minute) * 10 + 9)
      venue.reception(.hearing, at: Double(minute) * 10 + 10)
    }
    #expect(venue.log == ["33.0 hall state outside silence"])
  }

  @Test func `a region that was outside before and after a loss has a state event`() {
    var venue = Venue(Venue.region())
    venue.pass(to: 30)
    venue.reception(.lost, at: 40)
    venue.reception(.hearing, at: 50)
    venue.pass(to: 200)
    #expect(venue.log == ["30.0 hall state outside silence", "40.0 hall state unknown receiverLost", "80.0 hall state outside silence"])
  }
}
