import Instants
import Locations
import Testing

@testable import LocationArbitration

@Suite struct StationaryDetectorTests {
  /// A locator, and its outputs to one listener, each with its second.
  private struct Scene {
    var locator = Locator(sources: [SourceAbility(.gpsd, typicalAccuracy: 5, cost: .high)])
    var told: [String] = []

    init() { locator.listen(.client(1), LocationRequest(distanceFilter: 1000), at: .at(0)) }

    mutating func take(_ fix: Location) {
      locator.take(fix, from: 0, at: fix.received)
      note(fix.received)
    }

    mutating func note(_ now: Instant) {
      for case .stationary(.client(1), let isStationary) in locator.drain() {
        told.append("\(isStationary) \(Int((now - .at(0)).seconds))")
      }
    }
  }

  @Test func `a device at rest for two minutes is stationary, and one that walks is not`() throws {
    var fixes = try Fixes(seed: 3)
    var scene = Scene()
    for second in 0...300 { scene.take(try fixes.noisy(at: Double(second), sigma: 2)) }
    #expect(scene.told == ["true 120"])
    for second in 301...320 { scene.take(try fixes.fix(east: 1.4 * Double(second - 300), at: Double(second), accuracy: 2, speed: 1.4)) }
    #expect(scene.told.count == 2 && scene.told.last?.hasPrefix("false 30") == true, "\(scene.told)")
  }

  @Test(arguments: 1...3) func `a resting device stays stationary through a day of noise`(seed: Int) throws {
    var fixes = try Fixes(seed: UInt64(seed))
    var scene = Scene()
    for second in 0..<86_400 { scene.take(try fixes.noisy(at: Double(second))) }
    // Fixes of five metres may at first show a move.
    #expect(scene.told.count <= 3 && scene.told.last?.hasPrefix("true") == true, "\(scene.told)")
  }

  @Test func `a slow stroll does not count as stationary`() throws {
    var fixes = try Fixes(seed: 7)
    var scene = Scene()
    for second in 0..<3600 { scene.take(try fixes.noisy(east: 0.3 * Double(second), at: Double(second))) }
    #expect(scene.told.isEmpty)
  }

  @Test func `fixes too coarse to show a stroll prove no rest`() throws {
    var fixes = try Fixes()
    var scene = Scene()
    for second in 0..<3600 { scene.take(try fixes.noisy(at: Double(second), sigma: 50)) }
    #expect(scene.told.isEmpty)
    var nameless = Scene()
    for second in 0..<3600 { nameless.take(try fixes.fix(at: Double(second), accuracy: nil)) }
    #expect(nameless.told.isEmpty)
  }

  @Test func `time without fixes does not count as rest`() throws {
    let fixes = try Fixes()
    var scene = Scene()
    for second in [0, 1, 2, 100, 101, 102, 205] + Array(240...361) { scene.take(try fixes.fix(at: Double(second))) }
    // Rest counts from 240 s, because the gap before it exceeds half a minute.
    #expect(scene.told == ["true 360"])
  }

  @Test func `a device without a current fix is not stationary`() throws {
    let fixes = try Fixes()
    var scene = Scene()
    for second in 0...150 { scene.take(try fixes.fix(at: Double(second))) }
    scene.locator.advance(to: scene.locator.nextDeadline)
    scene.note(.at(180))
    #expect(scene.told == ["true 120", "false 180"])
    for second in 181...302 { scene.take(try fixes.fix(at: Double(second))) }
    #expect(scene.told.dropFirst(2) == ["true 301"])
  }

  @Test func `a fixed location is stationary at once, even for later listeners, until there are other sources`() throws {
    let fixes = try Fixes()
    var scene = Scene()
    scene.take(try fixes.fix(at: 1, from: .fixed))
    scene.locator.listen(.client(2), LocationRequest(), at: .at(500))
    let outputs = scene.locator.drain()
    #expect(outputs.last == .stationary(.client(2), true) && outputs.count == 2)
    scene.locator.replaceSources([], at: .at(600))
    scene.note(.at(600))
    #expect(scene.told == ["true 1", "false 600"])
  }
}
