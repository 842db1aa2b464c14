import Instants
import Locations
import Testing

@testable import LocationArbitration

@Suite struct LocatorTests {
  // MARK: - Outputs

  @Test func `a later listener receives the known location at once, unless it is old`() throws {
    let fix = try Fixes().fix(at: 0)
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.listen(.client(1), LocationRequest(), at: .at(0))
    locator.take(fix, from: 0, at: .at(0))
    locator.listen(.client(2), LocationRequest(), at: .at(10))
    locator.listen(.client(3), LocationRequest(), at: .at(31))
    #expect(locator.drain() == [.update(.client(1), fix), .update(.client(2), fix)])
  }

  @Test func `a fix of GeoClue stays valid for five minutes, because GeoClue reports only changes`() throws {
    let fix = try Fixes().fix(at: 0, accuracy: 50, from: .geoClue)
    var locator = Locator(sources: [SourceAbility.network])
    locator.listen(.client(1), LocationRequest(accuracy: .hundredMeters), at: .at(0))
    locator.take(fix, from: 0, at: .at(0))
    locator.listen(.client(2), LocationRequest(accuracy: .hundredMeters), at: .at(299))
    #expect(locator.drain() == [.update(.client(1), fix), .update(.client(2), fix)])
    locator.end(.client(2), at: .at(299))
    locator.advance(to: .at(300))
    #expect(locator.drain() == [.unknown(.client(1))])
  }

  @Test func `a fix reaches the engine first, then clients by number, and then the other parts of the daemon`() throws {
    var locator = Locator(sources: [SourceAbility.satellites])
    let listeners: [Locator.Listener] = [.engine, .client(2), .client(10), .departures, .guidance, .headings]
    for listener in listeners.reversed() { locator.listen(listener, LocationRequest(), at: .at(0)) }
    locator.take(try Fixes().fix(at: 0), from: 0, at: .at(0))
    #expect(locator.drain().map(\.listener) == listeners)
  }

  @Test func `a listener is notified when a fixed location is removed`() throws {
    var locator = Locator(sources: [SourceAbility.shop])
    locator.listen(.client(1), LocationRequest(), at: .at(0))
    locator.take(try Fixes().fix(at: 0, accuracy: 1, from: .fixed), from: 0, at: .at(0))
    locator.replaceSources([SourceAbility.satellites], at: .at(100))
    _ = locator.drain()
    locator.advance(to: .at(130))
    #expect(locator.drain() == [.unknown(.client(1))])
  }

  @Test(arguments: [0.001, 1, 20_000_000], [1e-9, 10, 1e300])
  func `no accuracy and no filter is too large`(accuracy: Double, filter: Double) throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites])
    let coarsest = try #require(DesiredAccuracy(metres: 20_000_000))
    locator.listen(.client(1), LocationRequest(accuracy: coarsest, distanceFilter: filter), at: .at(0))
    for second in 0..<100 {
      locator.take(try fixes.fix(east: Double(second), at: Double(second), accuracy: accuracy, speed: 0), from: 0, at: .at(Double(second)))
    }
    #expect(locator.switches.map(\.cause.description) == ["20000000 m are requested"])
    for metres in [20_100_001, 1e19, .infinity, .nan, -1] { #expect(DesiredAccuracy(metres: metres) == nil) }
  }

  @Test func `a fix that a source has cached from before its start is ignored`() throws {
    let old = try Fixes().fix(at: 0)
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.listen(.client(1), LocationRequest(), at: .at(3600))
    locator.take(old, from: 0, at: .at(3600))
    #expect(locator.drain().isEmpty)
    #expect(locator.location == nil)
  }

  @Test func `a missing location is reported at growing intervals`() throws {
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.listen(.client(1), LocationRequest(), at: .at(0))
    var times: [Double] = []
    while locator.nextDeadline < .at(3000) {
      let now = locator.nextDeadline
      locator.advance(to: now)
      if locator.drain() == [.unknown(.client(1))] { times.append((now - .at(0)).seconds) }
    }
    #expect(times == [30, 90, 210, 450, 930, 1830, 2730])
    locator.take(try Fixes().fix(at: 3000), from: 0, at: .at(3000))
    #expect(locator.nextDeadline == .at(3030))
  }

  @Test func `the first fix after a report of no location passes the filter`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.listen(.client(1), LocationRequest(distanceFilter: 100), at: .at(0))
    let (first, near, again) = (try fixes.fix(at: 0), try fixes.fix(east: 11, at: 46), try fixes.fix(at: 47))
    locator.take(first, from: 0, at: .at(0))
    locator.advance(to: .at(30))
    locator.take(near, from: 0, at: .at(46))
    locator.take(again, from: 0, at: .at(47))
    #expect(locator.drain() == [.update(.client(1), first), .unknown(.client(1)), .update(.client(1), near)])
  }

  @Test func `significant changes keep their interval of five minutes after a report of no location`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.listen(.client(1), .significantChanges, at: .at(0))
    let (first, next) = (try fixes.fix(at: 0), try fixes.fix(at: 300))
    locator.take(first, from: 0, at: .at(0))
    locator.advance(to: .at(30))
    locator.take(try fixes.fix(at: 46), from: 0, at: .at(46))
    locator.take(next, from: 0, at: .at(300))
    #expect(locator.drain() == [.update(.client(1), first), .unknown(.client(1)), .update(.client(1), next)])
  }

  // MARK: - Late fixes

  @Test func `a fix that arrives after a newer one is dropped and counted`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.listen(.client(1), LocationRequest(), at: .at(0))
    let (first, late, next) = (try fixes.fix(at: 10, age: 0), try fixes.fix(at: 11, age: 5), try fixes.fix(at: 12, age: 2.5))
    for fix in [first, late, next] { locator.take(fix, from: 0, at: fix.received) }
    #expect(locator.drain() == [.update(.client(1), first), .update(.client(1), next)])
    #expect(locator.lateFixes(of: 0) == 1)
  }

  @Test func `a clock that jumps ahead delays fixes for half a minute at most`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.listen(.client(1), LocationRequest(), at: .at(0))
    locator.take(try fixes.fix(at: 1), from: 0, at: .at(1))
    locator.take(try fixes.fix(at: 2, age: 29), from: 0, at: .at(2))
    #expect(locator.location?.received == .at(1))
    locator.take(try fixes.fix(at: 31, age: 29), from: 0, at: .at(31))
    #expect(locator.location?.received == .at(31))
  }

  @Test func `the accuracy of an old fix of another source is reduced by its age`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites, SourceAbility.network])
    locator.listen(.client(1), LocationRequest(), at: .at(0))
    locator.take(try fixes.fix(at: 100, accuracy: 60), from: 0, at: .at(100))
    // The first fix is 6 s older and late. The second is 4.5 s older, which turns its 52 m into 61 m.
    locator.take(try fixes.fix(at: 100, accuracy: 20, from: .geoClue, age: 6), from: 1, at: .at(100))
    locator.take(try fixes.fix(at: 100, accuracy: 52, from: .geoClue, age: 4.5), from: 1, at: .at(100))
    #expect(locator.location?.source == .gpsd)
    locator.take(try fixes.fix(at: 100, accuracy: 50, from: .geoClue, age: 4.5), from: 1, at: .at(100))
    #expect(locator.location?.source == .geoClue)
  }

  @Test func `a coarser source that is on replaces a receiver that falls silent`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites, SourceAbility.network])
    locator.listen(.client(1), LocationRequest(), at: .at(0))
    locator.advance(to: .at(30))
    let fine = try fixes.fix(at: 31, accuracy: 20)
    let coarse = try fixes.fix(east: 30, at: 32, accuracy: 50, from: .geoClue)
    locator.take(fine, from: 0, at: .at(31))
    locator.take(coarse, from: 1, at: .at(32))
    #expect(locator.drain() == [.unknown(.client(1)), .update(.client(1), fine)])
    locator.advance(to: .at(61))
    #expect(locator.drain() == [.update(.client(1), coarse)])
    locator.advance(to: .at(332))
    #expect(locator.drain() == [.unknown(.client(1))])
  }

  // MARK: - Use of the motion

  @Test func `the motion is used while a fine receiver delivers to a listener with a distance filter`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites, SourceAbility.network])
    locator.listen(.client(1), LocationRequest(distanceFilter: 10), at: .at(0))
    #expect(!locator.usesMotion(at: .at(0)), "nothing is known")
    locator.take(try fixes.fix(at: 1, accuracy: 10, from: .geoClue), from: 1, at: .at(1))
    #expect(!locator.usesMotion(at: .at(1)), "GeoClue tells only what is new")
    locator.take(try fixes.fix(at: 2), from: 0, at: .at(2))
    #expect(locator.usesMotion(at: .at(2)))
    #expect(!locator.usesMotion(at: .at(32)), "nothing is known any more")
    locator.take(try fixes.fix(at: 40, accuracy: 60), from: 0, at: .at(40))
    #expect(!locator.usesMotion(at: .at(40)), "coarse")
    locator.take(try fixes.fix(at: 41), from: 0, at: .at(41))
    locator.listen(.client(1), .significantChanges, at: .at(41))
    #expect(!locator.usesMotion(at: .at(41)), "far")
  }
}
