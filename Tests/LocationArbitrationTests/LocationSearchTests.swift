import Instants
import Locations
import Testing

@testable import LocationArbitration

@Suite struct LocationSearchTests {
  @Test func `a search refines its fix until it has the requested accuracy`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.search(.client(1), .nearestTenMeters, timeout: .seconds(30), at: .at(0))
    for (second, accuracy) in [(1, 90.0), (2, 95), (3, 40), (4, 9)] {
      locator.take(try fixes.fix(at: Double(second), accuracy: accuracy), from: 0, at: .at(Double(second)))
    }
    let outputs = locator.drain()
    guard outputs.count == 3, case .progress(.client(1), let first) = outputs[0], case .progress(.client(1), let second) = outputs[1],
      case .found(.client(1), let found?) = outputs[2]
    else { throw Unexpected(outputs) }
    #expect([first, second, found].map(\.horizontalAccuracy) == [90, 40, 9])
    #expect(locator.wanted.isEmpty)
  }

  @Test func `a search for the best accuracy ends with the best that any source reaches`() throws {
    let fix = try Fixes().fix(at: 1, accuracy: 4)
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.search(.client(1), .best, timeout: .seconds(30), at: .at(0))
    locator.take(fix, from: 0, at: .at(1))
    #expect(locator.drain() == [.found(.client(1), fix)])
  }

  @Test func `a search for the best accuracy does not end with an older fix`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.listen(.client(1), LocationRequest(distanceFilter: 1000), at: .at(0))
    let (old, new) = (try fixes.fix(at: 0), try fixes.fix(at: 30))
    locator.take(old, from: 0, at: .at(0))
    locator.search(.client(2), .best, timeout: .seconds(30), at: .at(29))
    locator.advance(to: .at(29.5))
    #expect(locator.drain() == [.update(.client(1), old), .progress(.client(2), old)])
    locator.take(new, from: 0, at: .at(30))
    #expect(locator.drain() == [.found(.client(2), new)])
  }

  @Test func `a search waits ten seconds for a new fix of GeoClue, and then accepts its older one`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.network])
    locator.listen(.client(1), LocationRequest(accuracy: .hundredMeters, distanceFilter: 1000), at: .at(0))
    let (old, new) = (try fixes.fix(at: 0, accuracy: 50, from: .geoClue), try fixes.fix(at: 252, accuracy: 80, from: .geoClue))
    locator.take(old, from: 0, at: .at(0))
    locator.search(.client(2), .hundredMeters, timeout: .seconds(30), at: .at(200))
    #expect(locator.drain() == [.update(.client(1), old), .progress(.client(2), old)] && locator.nextDeadline == .at(210))
    locator.advance(to: .at(210))
    #expect(locator.drain() == [.found(.client(2), old)])
    locator.search(.client(2), .nearestTenMeters, timeout: .seconds(30), at: .at(220))
    locator.search(.client(3), .hundredMeters, timeout: .seconds(5), at: .at(220))
    locator.advance(to: .at(225))
    #expect(locator.drain() == [.progress(.client(2), old), .found(.client(3), old)])
    locator.search(.client(3), .hundredMeters, timeout: .seconds(30), at: .at(250))
    locator.advance(to: .at(250))
    _ = locator.drain()
    locator.take(new, from: 0, at: .at(252))
    #expect(locator.drain() == [.found(.client(3), new)])
  }

  @Test func `the best fix of a search is replaced while the device moves on`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.search(.client(1), .best, timeout: .seconds(30), at: .at(0))
    for second in 1...29 {
      locator.take(
        try fixes.fix(east: 20 * Double(second), at: Double(second), accuracy: second == 1 ? 10 : 11), from: 0, at: .at(Double(second)))
    }
    locator.advance(to: .at(30))
    let outputs = locator.drain()
    guard outputs.count == 2, case .found(.client(1), let found?) = outputs[1] else { throw Unexpected(outputs) }
    #expect(found.received == .at(29))
  }

  @Test func `a search that ends switches off the source that only it needed`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites, SourceAbility.network])
    locator.search(.client(1), .best, timeout: .seconds(10), at: .at(0))
    locator.search(.client(2), .kilometer, timeout: .seconds(60), at: .at(0))
    #expect(locator.wanted == [0])
    locator.advance(to: .at(10))
    #expect(locator.wanted == [1])
    locator.take(try fixes.fix(at: 11, accuracy: 50, from: .geoClue), from: 1, at: .at(11))
    #expect(locator.wanted.isEmpty)
  }

  @Test func `a fix that is too old at the end of a search is not found`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.search(.client(1), .best, timeout: .seconds(45), at: .at(0))
    locator.take(try fixes.fix(at: 3, accuracy: 20), from: 0, at: .at(3))
    locator.advance(to: .at(45))
    #expect(locator.drain().last == .found(.client(1), nil))
  }

  @Test func `the current fix of another source replaces one that is too old at the end of a search`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites, SourceAbility.network])
    locator.search(.client(1), .nearestTenMeters, timeout: .seconds(120), at: .at(0))
    locator.take(try fixes.fix(at: 28, accuracy: 40), from: 0, at: .at(28))
    locator.advance(to: .at(30))
    let coarse = try fixes.fix(at: 33, accuracy: 100, from: .geoClue)
    locator.take(coarse, from: 1, at: .at(33))
    locator.advance(to: .at(60))
    locator.advance(to: .at(120))
    let outputs = locator.drain()
    #expect(outputs.last == .found(.client(1), coarse))
  }

  @Test(arguments: [nil, 60.0]) func `a search ends at its timeout with the best fix, or none`(accuracy: Double?) throws {
    let fix = try accuracy.map { try Fixes().fix(at: 1, accuracy: $0) }
    var locator = Locator(sources: [SourceAbility.satellites])
    locator.search(.client(1), .nearestTenMeters, timeout: .seconds(30), at: .at(0))
    if let fix { locator.take(fix, from: 0, at: .at(1)) }
    #expect(locator.nextDeadline == .at(30))
    _ = locator.drain()
    locator.advance(to: .at(30))
    #expect(locator.drain() == [.found(.client(1), fix)])
    #expect(locator.nextDeadline == .never)
  }

  private struct Unexpected: Error {
    init(_ outputs: [Locator.Output]) { Issue.record("\(outputs)") }
  }
}
