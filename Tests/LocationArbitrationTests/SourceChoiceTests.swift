import Instants
import Locations
import Testing

@testable import LocationArbitration

@Suite struct SourceChoiceTests {
  @Test(arguments: [
    (DesiredAccuracy.best, 0), (.nearestTenMeters, 0), (.hundredMeters, 1), (.threeKilometers, 1),
  ])
  func `the cheapest source that reaches the requested accuracy is on`(accuracy: DesiredAccuracy, index: Int) {
    var locator = Locator(sources: [SourceAbility.satellites, SourceAbility.network])
    #expect(locator.wanted.isEmpty)
    locator.listen(.client(1), LocationRequest(accuracy: accuracy), at: .at(0))
    #expect(locator.wanted == [index])
    locator.end(.client(1), at: .at(1))
    #expect(locator.wanted.isEmpty)
  }

  @Test func `a finer request switches to a finer source, its end switches back, and the history records both`() {
    var locator = Locator(sources: [SourceAbility.satellites, SourceAbility.network])
    locator.listen(.client(1), LocationRequest(accuracy: .hundredMeters), at: .at(0))
    locator.listen(.client(2), LocationRequest(accuracy: .best), at: .at(1))
    #expect(locator.wanted == [0])
    locator.end(.client(2), at: .at(2))
    #expect(locator.wanted == [1])
    locator.end(.client(1), at: .at(3))
    #expect(
      locator.switches.map { "\($0.source.name) \($0.isOn ? "on" : "off"): \($0.cause)" } == [
        "geoClue on: 100 m are requested", "gpsd on: the best accuracy is requested", "geoClue off: another source suffices",
        "geoClue on: 100 m are requested",
        "gpsd off: another source suffices", "geoClue off: no program requests locations",
      ])
  }

  @Test func `a satellite receiver without reception is supplemented after half a minute, until it has a fix`() throws {
    let fixes = try Fixes()
    var locator = Locator(sources: [SourceAbility.satellites, SourceAbility.network])
    locator.listen(.client(1), LocationRequest(accuracy: .nearestTenMeters), at: .at(0))
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
    var locator = Locator(sources: [SourceAbility(.gpsd, typicalAccuracy: 3, cost: .high), SourceAbility.network])
    locator.listen(.client(1), LocationRequest(accuracy: .best), at: .at(0))
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
    var locator = Locator(sources: [SourceAbility.satellites, SourceAbility.network])
    locator.set(isAvailable: false, of: 0, at: .at(0))
    locator.listen(.client(1), LocationRequest(), at: .at(1))
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
    var locator = Locator(sources: [SourceAbility.satellites, SourceAbility.network])
    locator.listen(.client(1), LocationRequest(), at: .at(0))
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
    var locator = Locator(sources: [SourceAbility.satellites, Self.indoor])
    locator.set(isAvailable: false, of: 1, at: .at(0))
    locator.listen(.client(1), LocationRequest(accuracy: .best), at: .at(0))
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
    var locator = Locator(sources: [SourceAbility.shop, SourceAbility.satellites])
    locator.listen(.client(1), LocationRequest(accuracy: .hundredMeters, distanceFilter: 10), at: .at(0))
    #expect(locator.wanted == [0])
    locator.take(try Fixes().fix(at: 0, accuracy: 1, from: .fixed), from: 0, at: .at(0))
    #expect(locator.nextDeadline == .never)
    locator.listen(.client(2), LocationRequest(accuracy: .kilometer), at: .at(1_000_000))
    let updates = locator.drain().filter { if case .update = $0 { true } else { false } }
    #expect(updates.count == 2)
    #expect(locator.nextDeadline == .never)
  }
}
