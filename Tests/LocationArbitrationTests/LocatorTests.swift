import Instants
import Locations
import Testing

@testable import LocationArbitration

@Suite struct LocatorTests {
  private static let satellites = SourceAbility(.gpsd, typicalAccuracy: 5, cost: .high)
  private static let network = SourceAbility(.geoClue, typicalAccuracy: 50, cost: .low)
  private static let shop = SourceAbility(.fixed, typicalAccuracy: 1, cost: .none)

  // MARK: - Choice of sources

  @Test(arguments: [
    (DesiredAccuracy.best, 0), (.nearestTenMeters, 0), (.hundredMeters, 1), (.threeKilometers, 1),
  ])
  func `the cheapest source that reaches the requested accuracy is on`(accuracy: DesiredAccuracy, index: Int) {
    var locator = Locator(sources: [Self.satellites, Self.network])
    #expect(locator.wanted.isEmpty)
    locator.listen(1, LocationRequest(accuracy: accuracy), at: .at(0))
    #expect(locator.wanted == [index])
    locator.end(1, at: .at(1))
    #expect(locator.wanted.isEmpty)
  }

  @Test func `a finer request switches to a finer source, its end switches back, and the history records both`() {
    var locator = Locator(sources: [Self.satellites, Self.network])
    locator.listen(1, LocationRequest(accuracy: .hundredMeters), at: .at(0))
    locator.listen(2, LocationRequest(accuracy: .best), at: .at(1))
    #expect(locator.wanted == [0])
    locator.end(2, at: .at(2))
    #expect(locator.wanted == [1])
    locator.end(1, at: .at(3))
    #expect(
      locator.switches.map { "\($0.source.name) \($0.isOn ? "on" : "off"): \($0.cause)" } == [
        "geoClue on: 100 m are requested", "gpsd on: the best accuracy is requested", "geoClue off: another source suffices",
        "geoClue on: 100 m are requested",
        "gpsd off: another source suffices", "geoClue off: no program requests locations",
      ])
  }

  @Test func `a satellite receiver without reception is supplemented after half a minute, until it has a fix`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites, Self.network])
    locator.listen(1, LocationRequest(accuracy: .nearestTenMeters), at: .at(0))
    #expect(locator.nextDeadline == .at(30))
    locator.advance(to: .at(29))
    #expect(locator.wanted == [0])
    locator.advance(to: .at(30))
    #expect(locator.wanted == [0, 1])
    locator.take(try fixes.fix(at: 32, accuracy: 50, from: .geoClue), from: 1, at: .at(32))
    #expect(locator.wanted == [0, 1])
    locator.take(try fixes.fix(at: 40), from: 0, at: .at(40))
    // A supplementary source stays on for half a minute.
    #expect(locator.wanted == [0, 1] && locator.nextDeadline == .at(60))
    locator.take(try fixes.fix(at: 59), from: 0, at: .at(59))
    locator.advance(to: .at(60))
    #expect(locator.wanted == [0])
  }

  /// Returns the switches during five minutes in which a receiver's accuracy alternates every second.
  private func switches(whileWaveringBetween one: Double, _ other: Double) throws -> [SourceSwitch] {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility(.gpsd, typicalAccuracy: 3, cost: .high), Self.network])
    locator.listen(1, LocationRequest(accuracy: .best), at: .at(0))
    for second in 1...300 {
      let time = Double(second)
      locator.advance(to: .at(time))
      locator.take(try fixes.fix(at: time, accuracy: second.isMultiple(of: 2) ? one : other), from: 0, at: .at(time))
    }
    return locator.switches
  }

  @Test func `a receiver that wavers around the requested accuracy does not switch another source on and off`() throws {
    #expect(try switches(whileWaveringBetween: 5.7, 6.3).map(\.source) == [.gpsd])
  }

  @Test func `a supplementary source stays on for half a minute at a time, however much the receiver wavers`() throws {
    let help = try switches(whileWaveringBetween: 5, 20).filter { $0.source == .geoClue }.map { ($0.time, $0.isOn) }
    #expect(help.count > 5 && zip(help, help.dropFirst()).allSatisfy { !$0.1 || $1.0 - $0.0 >= .seconds(30) })
  }

  @Test func `an absent source stays wanted while another one supplements it`() throws {
    var locator = Locator(sources: [Self.satellites, Self.network])
    locator.set(isAvailable: false, of: 0, at: .at(0))
    locator.listen(1, LocationRequest(), at: .at(1))
    #expect(locator.wanted == [0, 1])
    locator.set(isAvailable: true, of: 0, at: .at(5))
    locator.advance(to: .at(30.9))
    #expect(locator.wanted == [0, 1])
    locator.take(try Fixes().fix(at: 30.9), from: 0, at: .at(30.9))
    locator.advance(to: .at(31))
    #expect(locator.wanted == [0])
  }

  @Test func `a coarse fix does not replace a recent fine one`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites, Self.network])
    locator.listen(1, LocationRequest(), at: .at(0))
    locator.take(try fixes.fix(at: 1), from: 0, at: .at(1))
    locator.take(try fixes.fix(east: 40, at: 2, accuracy: 50, from: .geoClue), from: 1, at: .at(2))
    #expect(locator.location?.source == .gpsd)
    locator.take(try fixes.fix(east: 40, at: 26, accuracy: 50, from: .geoClue), from: 1, at: .at(26))
    #expect(locator.location?.source == .geoClue)
  }

  // MARK: - A source for walks

  private static let indoor = SourceAbility(.indoor, typicalAccuracy: 2, cost: .low, topSpeed: 2.5)

  /// Returns a locator in which indoor fixes and fixes of satellites at `speed` arrive every second from 1 s to `end`.
  private func locator(speed: Double, speedAccuracy: Double? = nil, until end: Int) throws -> Locator {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites, Self.indoor])
    locator.set(isAvailable: false, of: 1, at: .at(0))
    locator.listen(1, LocationRequest(accuracy: .best), at: .at(0))
    #expect(locator.wanted == [0, 1])
    locator.set(isAvailable: true, of: 1, at: .at(1))
    for second in 1...end {
      let time = Double(second)
      locator.advance(to: .at(time))
      if locator.wanted.contains(0) {
        locator.take(try fixes.fix(at: time, speed: speed, speedAccuracy: speedAccuracy), from: 0, at: .at(time))
      }
      locator.take(try fixes.fix(at: time, accuracy: 2, from: .indoor), from: 1, at: .at(time))
    }
    return locator
  }

  @Test func `satellites are off while indoor fixes arrive, and return when these end`() throws {
    var locator = try locator(speed: 1.2, until: 60)
    #expect(locator.wanted == [1] && locator.location?.source == .indoor)
    locator.set(isAvailable: false, of: 1, at: .at(61))
    #expect(locator.wanted == [0, 1])
  }

  @Test(
    arguments: [(8, nil, Location.Source.gpsd), (8, 1, .gpsd), (3, 1, .indoor), (8, 6, .indoor)] as [(Double, Double?, Location.Source)])
  func `a device that is certainly faster than a walk uses satellites`(speed: Double, accuracy: Double?, source: Location.Source) throws {
    let locator = try locator(speed: speed, speedAccuracy: accuracy, until: 60)
    #expect(locator.wanted.contains(0) == (source == .gpsd) && locator.location?.source == source)
  }

  @Test func `a fixed location needs no deadline`() throws {
    var locator = Locator(sources: [Self.shop, Self.satellites])
    locator.listen(1, LocationRequest(accuracy: .hundredMeters, distanceFilter: 10), at: .at(0))
    #expect(locator.wanted == [0])
    locator.take(try Fixes().fix(at: 0, accuracy: 1, from: .fixed), from: 0, at: .at(0))
    #expect(locator.nextDeadline == .never)
    locator.listen(2, LocationRequest(accuracy: .kilometer), at: .at(1_000_000))
    let updates = locator.drain().filter { if case .update = $0 { true } else { false } }
    #expect(updates.count == 2)
    #expect(locator.nextDeadline == .never)
  }

  // MARK: - Outputs

  @Test func `a later listener receives the known location at once, unless it is old`() throws {
    let fix = try Fixes().fix(at: 0)
    var locator = Locator(sources: [Self.satellites])
    locator.listen(1, LocationRequest(), at: .at(0))
    locator.take(fix, from: 0, at: .at(0))
    locator.listen(2, LocationRequest(), at: .at(10))
    locator.listen(3, LocationRequest(), at: .at(31))
    #expect(locator.drain() == [.update(1, fix), .update(2, fix)])
  }

  @Test func `a fix of GeoClue stays valid for five minutes, because GeoClue reports only changes`() throws {
    let fix = try Fixes().fix(at: 0, accuracy: 50, from: .geoClue)
    var locator = Locator(sources: [Self.network])
    locator.listen(1, LocationRequest(accuracy: .hundredMeters), at: .at(0))
    locator.take(fix, from: 0, at: .at(0))
    locator.listen(2, LocationRequest(accuracy: .hundredMeters), at: .at(299))
    #expect(locator.drain() == [.update(1, fix), .update(2, fix)])
    locator.end(2, at: .at(299))
    locator.advance(to: .at(300))
    #expect(locator.drain() == [.unknown(1)])
  }

  @Test func `a listener is notified when a fixed location is removed`() throws {
    var locator = Locator(sources: [Self.shop])
    locator.listen(1, LocationRequest(), at: .at(0))
    locator.take(try Fixes().fix(at: 0, accuracy: 1, from: .fixed), from: 0, at: .at(0))
    locator.replaceSources([Self.satellites], at: .at(100))
    _ = locator.drain()
    locator.advance(to: .at(130))
    #expect(locator.drain() == [.unknown(1)])
  }

  @Test(arguments: [0.001, 1, 20_000_000], [1e-9, 10, 1e300])
  func `no accuracy and no filter is too large`(accuracy: Double, filter: Double) throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites])
    locator.listen(1, LocationRequest(accuracy: try #require(DesiredAccuracy(metres: 20_000_000)), distanceFilter: filter), at: .at(0))
    for second in 0..<100 {
      locator.take(try fixes.fix(east: Double(second), at: Double(second), accuracy: accuracy, speed: 0), from: 0, at: .at(Double(second)))
    }
    #expect(locator.switches.map(\.cause.description) == ["20000000 m are requested"])
    for metres in [20_100_001, 1e19, .infinity, .nan, -1] { #expect(DesiredAccuracy(metres: metres) == nil) }
  }

  @Test func `a fix that a source has cached from before its start is ignored`() throws {
    let old = try Fixes().fix(at: 0)
    var locator = Locator(sources: [Self.satellites])
    locator.listen(1, LocationRequest(), at: .at(3600))
    locator.take(old, from: 0, at: .at(3600))
    #expect(locator.drain().isEmpty)
    #expect(locator.location == nil)
  }

  @Test func `a missing location is reported at growing intervals`() throws {
    var locator = Locator(sources: [Self.satellites])
    locator.listen(1, LocationRequest(), at: .at(0))
    var times: [Double] = []
    while locator.nextDeadline < .at(3000) {
      let now = locator.nextDeadline
      locator.advance(to: now)
      if locator.drain() == [.unknown(1)] { times.append((now - .at(0)).seconds) }
    }
    #expect(times == [30, 90, 210, 450, 930, 1830, 2730])
    locator.take(try Fixes().fix(at: 3000), from: 0, at: .at(3000))
    #expect(locator.nextDeadline == .at(3030))
  }

  @Test func `the first fix after a report of no location passes the filter`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites])
    locator.listen(1, LocationRequest(distanceFilter: 100), at: .at(0))
    let (first, near, again) = (try fixes.fix(at: 0), try fixes.fix(east: 11, at: 46), try fixes.fix(at: 47))
    locator.take(first, from: 0, at: .at(0))
    locator.advance(to: .at(30))
    locator.take(near, from: 0, at: .at(46))
    locator.take(again, from: 0, at: .at(47))
    #expect(locator.drain() == [.update(1, first), .unknown(1), .update(1, near)])
  }

  @Test func `significant changes keep their interval of five minutes after a report of no location`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites])
    locator.listen(1, .significantChanges, at: .at(0))
    let (first, next) = (try fixes.fix(at: 0), try fixes.fix(at: 300))
    locator.take(first, from: 0, at: .at(0))
    locator.advance(to: .at(30))
    locator.take(try fixes.fix(at: 46), from: 0, at: .at(46))
    locator.take(next, from: 0, at: .at(300))
    #expect(locator.drain() == [.update(1, first), .unknown(1), .update(1, next)])
  }

  // MARK: - Late fixes

  @Test func `a fix that arrives after a newer one is dropped and counted`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites])
    locator.listen(1, LocationRequest(), at: .at(0))
    let (first, late, next) = (try fixes.fix(at: 10, age: 0), try fixes.fix(at: 11, age: 5), try fixes.fix(at: 12, age: 2.5))
    for fix in [first, late, next] { locator.take(fix, from: 0, at: fix.received) }
    #expect(locator.drain() == [.update(1, first), .update(1, next)])
    #expect(locator.lateFixes(of: 0) == 1)
  }

  @Test func `a clock that jumps ahead delays fixes for half a minute at most`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites])
    locator.listen(1, LocationRequest(), at: .at(0))
    locator.take(try fixes.fix(at: 1), from: 0, at: .at(1))
    locator.take(try fixes.fix(at: 2, age: 29), from: 0, at: .at(2))
    #expect(locator.location?.received == .at(1))
    locator.take(try fixes.fix(at: 31, age: 29), from: 0, at: .at(31))
    #expect(locator.location?.received == .at(31))
  }

  @Test func `the accuracy of an old fix of another source is reduced by its age`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites, Self.network])
    locator.listen(1, LocationRequest(), at: .at(0))
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
    var locator = Locator(sources: [Self.satellites, Self.network])
    locator.listen(1, LocationRequest(), at: .at(0))
    locator.advance(to: .at(30))
    let fine = try fixes.fix(at: 31, accuracy: 20)
    let coarse = try fixes.fix(east: 30, at: 32, accuracy: 50, from: .geoClue)
    locator.take(fine, from: 0, at: .at(31))
    locator.take(coarse, from: 1, at: .at(32))
    #expect(locator.drain() == [.unknown(1), .update(1, fine)])
    locator.advance(to: .at(61))
    #expect(locator.drain() == [.update(1, coarse)])
    locator.advance(to: .at(332))
    #expect(locator.drain() == [.unknown(1)])
  }

  // MARK: - Use of the motion

  @Test func `the motion is used while a fine receiver delivers to a listener with a distance filter`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites, Self.network])
    locator.listen(1, LocationRequest(distanceFilter: 10), at: .at(0))
    #expect(!locator.usesMotion(at: .at(0)), "nothing is known")
    locator.take(try fixes.fix(at: 1, accuracy: 10, from: .geoClue), from: 1, at: .at(1))
    #expect(!locator.usesMotion(at: .at(1)), "GeoClue tells only what is new")
    locator.take(try fixes.fix(at: 2), from: 0, at: .at(2))
    #expect(locator.usesMotion(at: .at(2)))
    #expect(!locator.usesMotion(at: .at(32)), "nothing is known any more")
    locator.take(try fixes.fix(at: 40, accuracy: 60), from: 0, at: .at(40))
    #expect(!locator.usesMotion(at: .at(40)), "coarse")
    locator.take(try fixes.fix(at: 41), from: 0, at: .at(41))
    locator.listen(1, .significantChanges, at: .at(41))
    #expect(!locator.usesMotion(at: .at(41)), "far")
  }

  // MARK: - Searches

  @Test func `a search refines its fix until it has the requested accuracy`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites])
    locator.search(1, .nearestTenMeters, timeout: .seconds(30), at: .at(0))
    for (second, accuracy) in [(1, 90.0), (2, 95), (3, 40), (4, 9)] {
      locator.take(try fixes.fix(at: Double(second), accuracy: accuracy), from: 0, at: .at(Double(second)))
    }
    let outputs = locator.drain()
    guard outputs.count == 3, case .progress(1, let first) = outputs[0], case .progress(1, let second) = outputs[1],
      case .found(1, let found?) = outputs[2]
    else { throw Unexpected(outputs) }
    #expect([first, second, found].map(\.horizontalAccuracy) == [90, 40, 9])
    #expect(locator.wanted.isEmpty)
  }

  @Test func `a search for the best accuracy ends with the best that any source reaches`() throws {
    let fix = try Fixes().fix(at: 1, accuracy: 4)
    var locator = Locator(sources: [Self.satellites])
    locator.search(1, .best, timeout: .seconds(30), at: .at(0))
    locator.take(fix, from: 0, at: .at(1))
    #expect(locator.drain() == [.found(1, fix)])
  }

  @Test func `a search for the best accuracy does not end with an older fix`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites])
    locator.listen(1, LocationRequest(distanceFilter: 1000), at: .at(0))
    let (old, new) = (try fixes.fix(at: 0), try fixes.fix(at: 30))
    locator.take(old, from: 0, at: .at(0))
    locator.search(2, .best, timeout: .seconds(30), at: .at(29))
    locator.advance(to: .at(29.5))
    #expect(locator.drain() == [.update(1, old), .progress(2, old)])
    locator.take(new, from: 0, at: .at(30))
    #expect(locator.drain() == [.found(2, new)])
  }

  @Test func `a search waits ten seconds for a new fix of GeoClue, and then accepts its older one`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.network])
    locator.listen(1, LocationRequest(accuracy: .hundredMeters, distanceFilter: 1000), at: .at(0))
    let (old, new) = (try fixes.fix(at: 0, accuracy: 50, from: .geoClue), try fixes.fix(at: 252, accuracy: 80, from: .geoClue))
    locator.take(old, from: 0, at: .at(0))
    locator.search(2, .hundredMeters, timeout: .seconds(30), at: .at(200))
    #expect(locator.drain() == [.update(1, old), .progress(2, old)] && locator.nextDeadline == .at(210))
    locator.advance(to: .at(210))
    #expect(locator.drain() == [.found(2, old)])
    locator.search(2, .nearestTenMeters, timeout: .seconds(30), at: .at(220))
    locator.search(3, .hundredMeters, timeout: .seconds(5), at: .at(220))
    locator.advance(to: .at(225))
    #expect(locator.drain() == [.progress(2, old), .found(3, old)])
    locator.search(3, .hundredMeters, timeout: .seconds(30), at: .at(250))
    locator.advance(to: .at(250))
    _ = locator.drain()
    locator.take(new, from: 0, at: .at(252))
    #expect(locator.drain() == [.found(3, new)])
  }

  @Test func `the best fix of a search is replaced while the device moves on`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites])
    locator.search(1, .best, timeout: .seconds(30), at: .at(0))
    for second in 1...29 {
      locator.take(
        try fixes.fix(east: 20 * Double(second), at: Double(second), accuracy: second == 1 ? 10 : 11), from: 0, at: .at(Double(second)))
    }
    locator.advance(to: .at(30))
    let outputs = locator.drain()
    guard outputs.count == 2, case .found(1, let found?) = outputs[1] else { throw Unexpected(outputs) }
    #expect(found.received == .at(29))
  }

  @Test func `a search that ends switches off the source that only it needed`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites, Self.network])
    locator.search(1, .best, timeout: .seconds(10), at: .at(0))
    locator.search(2, .kilometer, timeout: .seconds(60), at: .at(0))
    #expect(locator.wanted == [0])
    locator.advance(to: .at(10))
    #expect(locator.wanted == [1])
    locator.take(try fixes.fix(at: 11, accuracy: 50, from: .geoClue), from: 1, at: .at(11))
    #expect(locator.wanted.isEmpty)
  }

  @Test func `a fix that is too old at the end of a search is not found`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites])
    locator.search(1, .best, timeout: .seconds(45), at: .at(0))
    locator.take(try fixes.fix(at: 3, accuracy: 20), from: 0, at: .at(3))
    locator.advance(to: .at(45))
    #expect(locator.drain().last == .found(1, nil))
  }

  @Test func `the current fix of another source replaces one that is too old at the end of a search`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [Self.satellites, Self.network])
    locator.search(1, .nearestTenMeters, timeout: .seconds(120), at: .at(0))
    locator.take(try fixes.fix(at: 28, accuracy: 40), from: 0, at: .at(28))
    locator.advance(to: .at(30))
    let coarse = try fixes.fix(at: 33, accuracy: 100, from: .geoClue)
    locator.take(coarse, from: 1, at: .at(33))
    locator.advance(to: .at(60))
    locator.advance(to: .at(120))
    let outputs = locator.drain()
    #expect(outputs.last == .found(1, coarse))
  }

  @Test(arguments: [nil, 60.0]) func `a search ends at its timeout with the best fix, or none`(accuracy: Double?) throws {
    let fix = try accuracy.map { try Fixes().fix(at: 1, accuracy: $0) }
    var locator = Locator(sources: [Self.satellites])
    locator.search(1, .nearestTenMeters, timeout: .seconds(30), at: .at(0))
    if let fix { locator.take(fix, from: 0, at: .at(1)) }
    #expect(locator.nextDeadline == .at(30))
    _ = locator.drain()
    locator.advance(to: .at(30))
    #expect(locator.drain() == [.found(1, fix)])
    #expect(locator.nextDeadline == .never)
  }

  private struct Unexpected: Error {
    init(_ outputs: [Locator.Output]) { Issue.record("\(outputs)") }
  }
}
