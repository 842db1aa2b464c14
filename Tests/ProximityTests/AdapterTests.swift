import Events
import Instants
import Proximity
import Regions
import TestSupport
import Testing

/// Two adapters and more: whose silence counts.
@Suite struct AdapterTests {
  static let both = Receivers.each([.hearing, .hearing])

  func venue(_ region: BeaconRegion = Venue.region()) -> Venue {
    var venue = Venue(region)
    venue.receivers(Self.both, at: 0)
    return venue
  }

  @Test func `one adapter's clock runs on while another that never heard the region is lost`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.receivers(.each([.hearing, .lost]), at: 10)
    venue.pass(to: 100)
    #expect(venue.log == ["1.0 hall enter inside sighting", "31.0 hall exit outside silence"])
  }

  @Test func `the only adapter that heard the region is unplugged: unknown, and no exit however long it takes`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.receivers(.each([.lost, .hearing]), at: 10)
    venue.pass(to: 10_000)
    #expect(venue.log == ["1.0 hall enter inside sighting", "10.0 hall state unknown receiverLost"])
  }

  @Test func `an adapter beyond the end of the list is lost`() {
    var venue = venue()
    venue.hear(1, adapter: 1)
    venue.receivers(.each([.hearing]), at: 10)
    #expect(venue.log.last == "10.0 hall state unknown receiverLost")
  }

  @Test func `another adapter that hears the beacon resumes the region at once, without an enter`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.receivers(.each([.lost, .hearing]), at: 10)
    venue.hear(12, adapter: 1)
    venue.pass(to: 100)
    #expect(venue.log.suffix(2) == ["12.0 hall state inside sighting", "42.0 hall exit outside silence"])
  }

  @Test func `when the adapter comes back silence counts anew`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.receivers(.each([.lost, .hearing]), at: 10)
    venue.receivers(Self.both, at: 500)
    venue.pass(to: 529.9)
    #expect(venue.log.last == "10.0 hall state unknown receiverLost")
    venue.pass(to: 600)
    #expect(venue.log.last == "530.0 hall exit outside silence")
  }

  @Test func `when the adapter comes back a sighting confirms that nobody left`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.receivers(.each([.lost, .hearing]), at: 10)
    venue.receivers(Self.both, at: 500)
    venue.hear(501, adapter: 0)
    #expect(venue.log.last == "501.0 hall state inside sighting")
  }

  @Test func `the clock begins anew when one of two that heard the region is lost`() {
    var venue = venue()
    venue.hear(1, adapter: 1)
    venue.hear(1.5, adapter: 0)
    venue.receivers(.each([.lost, .hearing]), at: 20)
    venue.pass(to: 100)
    #expect(venue.log == ["1.0 hall enter inside sighting", "50.0 hall exit outside silence"])
  }

  @Test func `an adapter that is lost again and again does not keep the region for ever`() {
    var venue = venue()
    venue.hear(1, adapter: 1)
    venue.hear(1.5, adapter: 0)
    for time in stride(from: 20.0, to: 200, by: 10) {
      venue.receivers(.each([.lost, .hearing]), at: time)
      venue.receivers(Self.both, at: time + 5)
    }
    #expect(venue.log == ["1.0 hall enter inside sighting", "50.0 hall exit outside silence"])
  }

  @Test func `the clock stands while the only one that heard the region is paused, though another hears`() {
    var venue = venue()
    venue.hear(0, adapter: 0)
    venue.receivers(.each([.paused, .hearing]), at: 20)
    venue.pass(to: 500)
    venue.receivers(Self.both, at: 520)
    venue.pass(to: 600)
    #expect(venue.log == ["0.0 hall enter inside sighting", "530.0 hall exit outside silence"])
  }

  @Test func `the clock runs while one of two that heard the region is paused`() {
    var venue = venue()
    venue.hear(0, adapter: 0)
    venue.hear(1, adapter: 1)
    venue.receivers(.each([.paused, .hearing]), at: 20)
    venue.pass(to: 500)
    #expect(venue.log.last == "31.0 hall exit outside silence")
  }

  @Test func `a paused adapter that is lost makes the region unknown`() {
    var venue = venue()
    venue.hear(0, adapter: 0)
    venue.receivers(.each([.paused, .hearing]), at: 20)
    venue.receivers(.each([.lost, .hearing]), at: 30)
    #expect(venue.log.last == "30.0 hall state unknown receiverLost")
  }

  @Test func `who heard the region more than an exit delay before the last sighting no longer counts`() {
    var venue = venue()
    venue.hear(0, adapter: 0)
    venue.hear(from: 1, to: 40, adapter: 1)
    venue.receivers(.each([.lost, .hearing]), at: 41)
    venue.receivers(.each([.hearing, .lost]), at: 42)
    #expect(venue.log == ["0.0 hall enter inside sighting", "42.0 hall state unknown receiverLost"])
  }

  @Test func `who heard the region half an exit delay before the last sighting still counts`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.hear(from: 1, to: 16, adapter: 1)
    venue.receivers(.each([.hearing, .lost]), at: 20)
    venue.pass(to: 100)
    #expect(venue.log == ["1.0 hall enter inside sighting", "50.0 hall exit outside silence"])
  }

  @Test func `a region that nobody heard goes by all adapters`() {
    var venue = venue()
    venue.receivers(.each([.lost, .hearing]), at: 10)
    venue.pass(to: 40)
    venue.receivers(.each([.lost, .lost]), at: 50)
    venue.receivers(.each([.lost, .hearing]), at: 60)
    venue.pass(to: 100)
    #expect(venue.log == ["30.0 hall state outside silence", "50.0 hall state unknown receiverLost", "90.0 hall state outside silence"])
  }

  @Test func `after an exit it is any adapter's again`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.pass(to: 40)
    venue.receivers(.each([.lost, .hearing]), at: 50)
    #expect(venue.engine.watch("hall")?.state == .outside)
  }

  @Test func `a sighting of an adapter that is not known to hear counts, and the clock stands until it is`() {
    var venue = Venue(Venue.region())
    venue.receivers(.each([.lost]), at: 0)
    venue.hear(1)
    venue.pass(to: 500)
    #expect(venue.log == ["1.0 hall enter inside sighting"])
    venue.receivers(.each([.hearing]), at: 500)
    venue.pass(to: 600)
    #expect(venue.log.last == "530.0 hall exit outside silence")
  }

  @Test func `adapters from 31 on are told from the others, not from each other`() {
    var venue = Venue(Venue.region())
    let receivers = Array(repeating: Reception.hearing, count: 31)
    venue.receivers(.each(receivers + [.hearing, .hearing]), at: 0)
    venue.hear(1, adapter: 40_000)
    venue.receivers(.each(receivers + [.lost, .hearing]), at: 2)
    #expect(venue.engine.watch("hall")?.state == .inside)
    venue.receivers(.each(receivers), at: 3)
    #expect(venue.log.last == "3.0 hall state unknown receiverLost")
  }

  @Test func `a region of another exit delay goes on counting, and stays unknown while it was`() {
    var venue = venue()
    venue.hear(0, adapter: 0)
    venue.receivers(.each([.paused, .hearing]), at: 20)
    venue.engine.replaceRegions(with: [.beacon(Venue.region(exitDelay: 25))], at: Instant(microseconds: 21_000_000))
    venue.receivers(.each([.hearing, .hearing]), at: 50)
    venue.pass(to: 54.9)
    #expect(venue.engine.watch("hall")?.state == .inside)
    venue.receivers(.each([.lost, .hearing]), at: 54.95)
    venue.engine.replaceRegions(with: [.beacon(Venue.region(exitDelay: 10))], at: Instant(microseconds: 60_000_000))
    venue.pass(to: 1000)
    #expect(venue.log == ["0.0 hall enter inside sighting", "54.95 hall state unknown receiverLost"])
  }

  @Test func `an exit that a shorter delay makes overdue comes when it is told, not before`() {
    var venue = venue()
    venue.hear(0)
    venue.pass(to: 20)
    venue.engine.replaceRegions(with: [.beacon(Venue.region(exitDelay: 5))], at: Instant(microseconds: 20_000_000))
    venue.pass(to: 21)
    #expect(venue.log.last == "20.0 hall exit outside silence")
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `nothing is left by silence unless those that heard it could hear for an exit delay`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var venue = venue(Venue.region(exitDelay: 10))
    var receivers: [Reception] = [.hearing, .hearing]
    var audience: Set<Int> = []  // who heard the beacon since the last exit
    var silence = 0.0  // seconds since the last sighting in which one of them heard
    var now = 0.0
    for _ in 0..<600 {
      let step = Double(Int.random(in: 1...400, using: &generator)) / 100
      // In small steps, so that an exit is seen with what was true when it came.
      for _ in 0..<4 {
        now += step / 4
        if audience.contains(where: { receivers[$0] == .hearing }) { silence += step / 4 }
        let count = venue.log.count
        venue.pass(to: now)
        guard venue.log.count > count, venue.log.last?.contains(" exit ") == true else { continue }
        #expect(silence >= 9.999, "seed \(seed), at \(now)")
        audience = []
      }
      let adapter = Int.random(in: 0...1, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...1:
        receivers[adapter] = [.hearing, .paused, .lost][Int.random(in: 0...2, using: &generator)]
        venue.receivers(.each(receivers), at: now)
      case 2...4 where receivers[adapter] == .hearing:
        venue.hear(now, adapter: UInt16(adapter))
        audience.insert(adapter)
        silence = 0
      default: break
      }
    }
    #expect(venue.log.contains { $0.contains(" exit ") } && venue.log.contains { $0.contains("receiverLost") }, "seed \(seed)")
  }
}
