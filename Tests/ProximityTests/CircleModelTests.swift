import Events
import Geodesy
import Instants
import Proximity
import Regions
import TestSupport
import Testing

/// The engine against the slow reference, on random walks among three circles.
///
/// The circles lie on the equator, across the antimeridian and at a pole.
@Suite struct CircleModelTests {
  static let historiesForEachSeed = 60

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `the engine follows the rules second by second`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for number in 0..<Self.historiesForEachSeed {
      var again = generator
      let run = try CircleHistoryRun(&generator)
      guard let difference = run.differences.first else { continue }
      let script = try CircleHistoryRun(&again, isWritten: true).script.joined(separator: "\n")
      Issue.record("seed \(seed), history \(number), \(difference)\n\(script)")
      return
    }
  }
}

/// One history for the references and two engines, of which one advances in larger steps.
struct CircleHistoryRun {
  private var engine = ProximityEngine(at: Instant(microseconds: 0))
  private var lazy = ProximityEngine(at: Instant(microseconds: 0))
  private var references: [ReferenceCircle] = []
  private var told: [[ReferenceCircle.Event]] = []
  private var reportedLazily: [[ReferenceCircle.Event]] = []
  private var now = 0
  private var place: Coordinate
  private let home: Coordinate
  private(set) var script: [String] = []
  private let isWritten: Bool

  private static let homes = [(0.0, 6.5), (48.1, -180.0), (-16.5, 179.9999), (89.9995, 20), (-90, 0), (79.99, 0), (80.01, 0)]

  init(_ generator: inout SeededGenerator, isWritten: Bool = false) throws {
    self.isWritten = isWritten
    let (latitude, longitude) = Self.homes[Int.random(in: 0..<Self.homes.count, using: &generator)]
    home = try #require(Coordinate(latitude: latitude, longitude: longitude))
    place = home
    for index in 0..<3 {
      let region = try Self.region("circle \(index)", near: home, &generator)
      references.append(ReferenceCircle(region))
      engine.add(.circle(region), at: engine.now)
      lazy.add(.circle(region), at: lazy.now)
      write("0 \(region)")
    }
    told = Array(repeating: [], count: 3)
    reportedLazily = told
    for _ in 0..<Int.random(in: 10...60, using: &generator) { step(&generator) }
    for _ in 0..<301 { pass() }
    engine.advance(to: instant)
    drain()
  }

  private var instant: Instant { Instant(microseconds: Int64(now) * 1_000_000) }

  private mutating func write(_ line: String) {
    if isWritten { script.append(line) }
  }

  /// The events in which the engines differ from the references.
  var differences: [String] {
    references.indices.compactMap { index in
      let expected = references[index].events
      let state = engine.watch("circle \(index)")?.state
      guard told[index] != expected || reportedLazily[index] != expected || state != references[index].state else { return nil }
      let lists = [told[index], reportedLazily[index], expected].map { list in
        list.map { "\($0.time) \($0.kind) \($0.state) \($0.cause)" }.joined(separator: ", ")
      }
      return "circle \(index): the engine says\n\(lists[0])\nin larger steps\n\(lists[1])\nthe reference\n\(lists[2])"
    }
  }

  private mutating func step(_ generator: inout SeededGenerator) {
    for _ in 0..<[0, 1, 1, 1, 2, 5, 11, 25, 61, 299][Int.random(in: 0..<10, using: &generator)] { pass() }
    switch Int.random(in: 0..<30, using: &generator) {
    case 0: lose()
    case 1: restart(&generator)
    case 2...3: engine.advance(to: instant)
    default: locate(&generator)
    }
    drain()
  }

  private mutating func pass() {
    now += 1
    for index in references.indices { references[index].pass(to: now) }
    engine.advance(to: instant)
  }

  /// Makes a step of the walk, or a jump home or to the opposite side.
  private mutating func locate(_ generator: inout SeededGenerator) {
    let azimuth = Double.random(in: 0..<360, using: &generator)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: place = home
    case 1:
      let back = Geodesic(from: place, to: home)
      place = place.destination(azimuth: back.initialAzimuth, distance: 2 * back.distance).coordinate
    default: place = place.destination(azimuth: azimuth, distance: [3, 30, 300, 1000][Int.random(in: 0..<4, using: &generator)]).coordinate
    }
    let accuracy = [3, 12, 40, 150, 700][Int.random(in: 0..<5, using: &generator)] as Double
    let fix = Fix(place: place, accuracy: accuracy, time: instant)
    write("\(now) \(fix.place) ± \(accuracy)")
    engine.ingest(fix, at: instant)
    lazy.ingest(fix, at: instant)
    for index in references.indices { references[index].locate(fix, at: now) }
  }

  private mutating func lose() {
    write("\(now) lost")
    engine.loseFixes(at: instant)
    lazy.loseFixes(at: instant)
    for index in references.indices { references[index].lose(at: now) }
  }

  private mutating func restart(_ generator: inout SeededGenerator) {
    let outage = [5, 901][Int.random(in: 0..<2, using: &generator)]
    write("\(now) restarts after \(outage)")
    engine.advance(to: instant)
    lazy.advance(to: instant)
    drain()
    let saved = references.indices.compactMap { engine.saved("circle \($0)") { $0 + .seconds(1000) } }
    func restarted() -> ProximityEngine {
      var next = ProximityEngine(at: instant)
      for reference in references { next.add(.circle(reference.region), at: instant) }
      next.restore(saved, after: .seconds(Double(outage)), at: instant) { $0 - .seconds(1000) }
      return next
    }
    (engine, lazy) = (restarted(), restarted())
    for index in references.indices { references[index].restart(after: outage, at: now) }
  }

  private mutating func drain() {
    Self.take(engine.drainEvents(), into: &told)
    lazy.advance(to: instant)
    Self.take(lazy.drainEvents(), into: &reportedLazily)
  }

  private static func take(_ events: [RegionEvent], into lists: inout [[ReferenceCircle.Event]]) {
    for event in events {
      let transition = event.transition
      guard let index = lists.indices.first(where: { "circle \($0)" == transition.region.identifier }) else { continue }
      let time = Int((transition.time - Instant(microseconds: 0)).microseconds / 1_000_000)
      lists[index].append(ReferenceCircle.Event(time: time, kind: transition.kind, state: transition.state, cause: transition.cause))
    }
  }

  private static func region(_ name: String, near home: Coordinate, _ generator: inout SeededGenerator) throws -> CircularRegion {
    func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
    let azimuth = Double.random(in: 0..<360, using: &generator)
    let center = home.destination(azimuth: azimuth, distance: .random(in: 0...200, using: &generator)).coordinate
    let radius = [10, 35, 100, 160, 900, 30_000][Int.random(in: 0..<6, using: &generator)] as Double
    return CircularRegion(
      identifier: name, circle: try #require(Circle(center: center, radius: radius)),
      dwell: chance(3) ? .seconds(Double(Int.random(in: 5...120, using: &generator))) : nil,
      assumed: chance(4) ? (chance(2) ? .inside : .outside) : .unknown, notifyOnEntry: !chance(8), notifyOnExit: !chance(8))
  }
}
