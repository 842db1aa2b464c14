import Events
import Instants
import Proximity
import Regions
import TestSupport
import Testing

/// Exit clocks with two and more adapters.
@Suite struct AdapterTests {
  static let both = Receivers.each([.hearing, .hearing])

  func venue(_ region: BeaconRegion = Venue.region()) -> Venue {
    var venue = Venue(region)
    venue.receivers(Self.both, at: 0)
    return venue
  }

  @Test func `an exit clock runs while an adapter that never heard the region is lost`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.receivers(.each([.hearing, .lost]), at: 10)
    venue.pass(to: 100)
    #expect(venue.log == ["1.0 hall enter inside sighting", "31.0 hall exit outside silence"])
  }

  @Test func `a region is unknown, and never exits, while the only adapter that heard it is unplugged`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.receivers(.each([.lost, .hearing]), at: 10)
    venue.pass(to: 10_000)
    #expect(venue.log == ["1.0 hall enter inside sighting", "10.0 hall state unknown receiverLost"])
  }

  @Test func `an adapter beyond the end of the list counts as lost`() {
    var venue = venue()
    venue.hear(1, adapter: 1)
    venue.receivers(.each([.hearing]), at: 10)
    #expect(venue.log.last == "10.0 hall state unknown receiverLost")
  }

  @Test func `a beacon that another adapter hears resumes the region at once, without an enter`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.receivers(.each([.lost, .hearing]), at: 10)
    venue.hear(12, adapter: 1)
    venue.pass(to: 100)
    #expect(venue.log.suffix(2) == ["12.0 hall state inside sighting", "42.0 hall exit outside silence"])
  }

  @Test func `the exit delay restarts when the adapter returns`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.receivers(.each([.lost, .hearing]), at: 10)
    venue.receivers(Self.both, at: 500)
    venue.pass(to: 529.9)
    #expect(venue.log.last == "10.0 hall state unknown receiverLost")
    venue.pass(to: 600)
    #expect(venue.log.last == "530.0 hall exit outside silence")
  }

  @Test func `a sighting by the returned adapter confirms that the visitor stayed`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.receivers(.each([.lost, .hearing]), at: 10)
    venue.receivers(Self.both, at: 500)
    venue.hear(501, adapter: 0)
    #expect(venue.log.last == "501.0 hall state inside sighting")
  }

  @Test func `the exit delay restarts when one of two adapters that heard the region is lost`() {
    var venue = venue()
    venue.hear(1, adapter: 1)
    venue.hear(1.5, adapter: 0)
    venue.receivers(.each([.lost, .hearing]), at: 20)
    venue.pass(to: 100)
    #expect(venue.log == ["1.0 hall enter inside sighting", "50.0 hall exit outside silence"])
  }

  @Test func `an adapter that is lost repeatedly does not hold the region inside`() {
    var venue = venue()
    venue.hear(1, adapter: 1)
    venue.hear(1.5, adapter: 0)
    for time in stride(from: 20.0, to: 200, by: 10) {
      venue.receivers(.each([.lost, .hearing]), at: time)
      venue.receivers(Self.both, at: time + 5)
    }
    #expect(venue.log == ["1.0 hall enter inside sighting", "50.0 hall exit outside silence"])
  }

  @Test func `the exit clock stops while the only adapter that heard the region is paused, even if another one scans`() {
    var venue = venue()
    venue.hear(0, adapter: 0)
    venue.receivers(.each([.paused, .hearing]), at: 20)
    venue.pass(to: 500)
    venue.receivers(Self.both, at: 520)
    venue.pass(to: 600)
    #expect(venue.log == ["0.0 hall enter inside sighting", "530.0 hall exit outside silence"])
  }

  @Test func `the exit clock runs while one of two adapters that heard the region is paused`() {
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

  @Test func `an adapter that heard the region over an exit delay before the last sighting no longer counts`() {
    var venue = venue()
    venue.hear(0, adapter: 0)
    venue.hear(from: 1, to: 40, adapter: 1)
    venue.receivers(.each([.lost, .hearing]), at: 41)
    venue.receivers(.each([.hearing, .lost]), at: 42)
    #expect(venue.log == ["0.0 hall enter inside sighting", "42.0 hall state unknown receiverLost"])
  }

  @Test func `an adapter that heard the region half an exit delay before the last sighting still counts`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.hear(from: 1, to: 16, adapter: 1)
    venue.receivers(.each([.hearing, .lost]), at: 20)
    venue.pass(to: 100)
    #expect(venue.log == ["1.0 hall enter inside sighting", "50.0 hall exit outside silence"])
  }

  @Test func `a region without sightings is outside or unknown by all adapters`() {
    var venue = venue()
    venue.receivers(.each([.lost, .hearing]), at: 10)
    venue.pass(to: 40)
    venue.receivers(.each([.lost, .lost]), at: 50)
    venue.receivers(.each([.lost, .hearing]), at: 60)
    venue.pass(to: 100)
    #expect(venue.log == ["30.0 hall state outside silence", "50.0 hall state unknown receiverLost", "90.0 hall state outside silence"])
  }

  @Test func `any adapter counts again after an exit`() {
    var venue = venue()
    venue.hear(1, adapter: 0)
    venue.pass(to: 40)
    venue.receivers(.each([.lost, .hearing]), at: 50)
    #expect(venue.engine.watch("hall")?.state == .outside)
  }

  @Test func `a sighting by an adapter of unknown reception counts, and the exit clock waits until it is known`() {
    var venue = Venue(Venue.region())
    venue.receivers(.each([.lost]), at: 0)
    venue.hear(1)
    venue.pass(to: 500)
    #expect(venue.log == ["1.0 hall enter inside sighting"])
    venue.receivers(.each([.hearing]), at: 500)
    venue.pass(to: 600)
    #expect(venue.log.last == "530.0 hall exit outside silence")
  }

  @Test func `adapters from number 31 share one state`() {
    var venue = Venue(Venue.region())
    let receivers = Array(repeating: Reception.hearing, count: 31)
    venue.receivers(.each(receivers + [.hearing, .hearing]), at: 0)
    venue.hear(1, adapter: 40_000)
    venue.receivers(.each(receivers + [.lost, .hearing]), at: 2)
    #expect(venue.engine.watch("hall")?.state == .inside)
    venue.receivers(.each(receivers), at: 3)
    #expect(venue.log.last == "3.0 hall state unknown receiverLost")
  }

  @Test func `a region with a changed exit delay keeps counting, and stays unknown if it was`() {
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

  @Test func `an exit that a shorter delay makes overdue is dated when the delay changed`() {
    var venue = venue()
    venue.hear(0)
    venue.pass(to: 20)
    venue.engine.replaceRegions(with: [.beacon(Venue.region(exitDelay: 5))], at: Instant(microseconds: 20_000_000))
    venue.pass(to: 21)
    #expect(venue.log.last == "20.0 hall exit outside silence")
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `a region exits only after an adapter that heard it was hearing for an exit delay`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var venue = venue(Venue.region(exitDelay: 10))
    var receivers: [Reception] = [.hearing, .hearing]
    var audience: Set<Int> = []  // the adapters that heard the beacon since the last exit
    var silence = 0.0  // seconds since the last sighting in which one of these adapters was hearing
    var now = 0.0
    for _ in 0..<600 {
      let step = Double(Int.random(in: 1...400, using: &generator)) / 100
      // Steps are small, so that an exit is checked with the receptions of its time.
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
