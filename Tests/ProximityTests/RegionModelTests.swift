import BeaconAdvertising
import Beacons
import Events
import Instants
import Proximity
import Ranging
import Regions
import TestSupport
import Testing

/// The engine against the slow reference on random histories of two regions, two beacons and two adapters.
@Suite struct RegionModelTests {
  static let historiesForEachSeed = 5000

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the engine follows the rules second by second`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for number in 0..<Self.historiesForEachSeed {
      var again = generator
      let run = RegionHistoryRun(&generator)
      guard let difference = run.differences.first else { continue }
      let script = RegionHistoryRun(&again, isWritten: true).script.joined(separator: "\n")
      Issue.record("seed \(seed), history \(number), \(difference.region): \(difference.events)\n\(script)")
      return
    }
  }
}

/// One history for the engine and the references.
struct RegionHistoryRun {
  private static let names = ["first", "second"]

  private var engine = ProximityEngine(at: Instant(microseconds: 0))
  private var references: [ReferenceRegion] = []
  private var told: [[ReferenceRegion.Event]] = [[], []]
  private var receptions: [Reception] = [.hearing, .hearing]
  private var now = 0
  /// The events as text, for a failure's message. Written only on request, because writing takes longer than all else.
  private(set) var script: [String] = []
  private let isWritten: Bool

  init(_ generator: inout SeededGenerator, isWritten: Bool = false) {
    self.isWritten = isWritten
    if Int.random(in: 0..<4, using: &generator) == 0 { receptions = Self.receptions(&generator) }
    engine.setReception(.each(receptions), at: engine.now)
    for name in Self.names {
      let definition = Self.definition(&generator)
      references.append(ReferenceRegion(definition, at: 0, receptions))
      engine.add(.beacon(definition.region(name)), at: engine.now)
      if isWritten { script.append("\(now) " + "\(name) \(definition)") }
    }
    if isWritten { script.append("\(now) " + "\(receptions)") }
    for _ in 0..<Int.random(in: 5...30, using: &generator) { step(&generator) }
    finish()
  }

  private var instant: Instant { Instant(microseconds: Int64(now) * 1_000_000) }

  private mutating func step(_ generator: inout SeededGenerator) {
    for _ in 0..<[0, 1, 1, 1, 2, 3, 5][Int.random(in: 0..<7, using: &generator)] { pass() }
    switch Int.random(in: 0..<20, using: &generator) {
    case 0...9: hear(&generator)
    case 10...12: receive(&generator)
    case 13...14: redefine(&generator)
    case 15: restart(&generator)
    case 16: engine.advance(to: instant)
    default: break
    }
    drain()
  }

  private mutating func finish() {
    for _ in 0..<41 { pass() }  // eight times the longest exit delay
    engine.advance(to: instant)
    drain()
  }

  /// The regions in which the engine and the reference differ.
  var differences: [(region: String, events: String)] {
    zip(Self.names, zip(told, references)).compactMap { name, pair in
      let state = engine.watch(name)?.state
      guard pair.0 != pair.1.events || state != pair.1.state else { return nil }
      let lists = [pair.0, pair.1.events].map { $0.map { "\($0.time) \($0.kind) \($0.state) \($0.cause)" }.joined(separator: ", ") }
      return (name, "the engine says \(lists[0]), the reference \(lists[1])")
    }
  }

  private mutating func pass() {
    now += 1
    for index in references.indices { references[index].pass(to: now, receptions) }
  }

  private mutating func hear(_ generator: inout SeededGenerator) {
    let adapter = Int.random(in: 0...1, using: &generator)
    guard receptions[adapter] != .lost else { return }
    let minor = UInt16.random(in: 1...2, using: &generator)
    if isWritten { script.append("\(now) " + "hears \(minor) by \(adapter)") }
    engine.ingest(
      Sighting(
        beacon: BeaconIdentity(uuid: Venue.uuid, major: 1, minor: minor), measuredPower: -59, rssi: minor == 1 ? -50 : -90,
        adapter: UInt16(adapter), time: instant))
    for index in references.indices { references[index].hear(minor: minor, isStrong: minor == 1, by: adapter, at: now, receptions) }
  }

  private mutating func receive(_ generator: inout SeededGenerator) {
    let next = Self.receptions(&generator)
    if isWritten { script.append("\(now) " + "\(next)") }
    engine.setReception(.each(next), at: instant)
    for index in references.indices { references[index].receive(next, after: receptions, at: now) }
    receptions = next
  }

  private mutating func redefine(_ generator: inout SeededGenerator) {
    let index = Int.random(in: 0...1, using: &generator)
    var next = Self.definition(&generator)
    if Bool.random(using: &generator) { next.minor = references[index].definition.minor }
    if isWritten { script.append("\(now) " + "\(Self.names[index]) \(next)") }
    engine.add(.beacon(next.region(Self.names[index])), at: instant)
    references[index].redefine(next, at: now, receptions)
  }

  private mutating func restart(_ generator: inout SeededGenerator) {
    let outage = [5, 900, 901][Int.random(in: 0..<3, using: &generator)]
    if isWritten { script.append("\(now) " + "restarts after \(outage)") }
    engine.advance(to: instant)
    drain()
    let saved = Self.names.compactMap { engine.saved($0) { $0 + .seconds(1000) } }
    engine = ProximityEngine(at: instant)
    for (name, reference) in zip(Self.names, references) { engine.add(.beacon(reference.definition.region(name)), at: instant) }
    engine.setReception(.each(receptions), at: instant)
    engine.restore(saved, after: .seconds(Double(outage)), at: instant) { $0 - .seconds(1000) }
    for index in references.indices { references[index].restart(after: outage, at: now, receptions) }
  }

  private mutating func drain() {
    for event in engine.drainEvents() {
      guard let index = Self.names.firstIndex(of: event.transition.region.identifier) else { continue }
      let (time, transition) = (event.transition.time - Instant(microseconds: 0), event.transition)
      told[index].append(
        ReferenceRegion.Event(
          time: Int(time.microseconds / 1_000_000), kind: transition.kind, state: transition.state, cause: transition.cause))
    }
  }

  private static func receptions(_ generator: inout SeededGenerator) -> [Reception] {
    (0...1).map { _ in [.hearing, .hearing, .paused, .lost][Int.random(in: 0..<4, using: &generator)] }
  }

  private static func definition(_ generator: inout SeededGenerator) -> ReferenceRegion.Definition {
    func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
    var definition = ReferenceRegion.Definition()
    definition.minor = [nil, nil, 1, 2, 3][Int.random(in: 0..<5, using: &generator)]
    definition.exitDelay = Int.random(in: 2...5, using: &generator)
    definition.learns = chance(2)
    definition.wantsStrong = chance(4)
    if chance(4) { definition.entry = (Int.random(in: 2...3, using: &generator), Int.random(in: 1...6, using: &generator)) }
    if chance(3) { definition.dwell = Int.random(in: 2...12, using: &generator) }
    if chance(4) { definition.assumed = chance(2) ? .inside : .outside }
    return definition
  }
}

extension ReferenceRegion.Definition {
  func region(_ name: String) -> BeaconRegion {
    Venue.region(
      name, major: minor == nil ? nil : 1, minor: minor, exitDelay: Double(exitDelay), learns: learns, minimumRSSI: wantsStrong ? -70 : nil,
      entry: entry.map { BeaconRegion.Entry(sightings: $0.sightings, within: .seconds(Double($0.within))) }, dwell: dwell.map(Double.init),
      assumed: assumed)
  }
}
