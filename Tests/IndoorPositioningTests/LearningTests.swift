import IndoorPositioning
import Instants
import Testing
import Venues

/// Learned offsets on the gallery walks, one after another.
@Suite struct LearningTests {
  /// The estimates of each walk.
  struct Outcome {
    var errors: [Double] = []
    var covered = 0
    var absences: [IndoorAbsence: Int] = [:]
    var mean: Double { errors.reduce(0, +) / Double(errors.count) }
    var coverage: Double { Double(covered) / Double(errors.count) }
  }

  /// Walks through the gallery with an adapter whose levels are off, and returns the outcome of each walk.
  ///
  /// A minute passes between walks.
  private static func outcomes(_ engine: inout IndoorEngine, level: Double, walks: [GalleryWalk] = Gallery.walks) -> [Outcome] {
    var start = (engine.nextDeadline == .never ? 0 : 1_000_000.0)
    return walks.map { walk in
      let shift = Int64((start - walk.start.rounded(.down)) * 1e6)
      start += (walk.minutes * 60).rounded(.up) + 60
      let sightings = GalleryCase.louder(walk, by: level).sightings().map { sighting in
        var sighting = sighting
        sighting.time.microseconds += shift
        return sighting
      }
      var outcome = Outcome()
      let end = Instant(microseconds: Int64((walk.ticks.last ?? 0) * 1e6) + 1 + shift)
      for output in engine.step(sightings, through: end) {
        guard let index = walk.ticks.firstIndex(of: Double(output.time.microseconds - shift) / 1e6) else { continue }
        if let absence = output.absence { outcome.absences[absence, default: 0] += 1 }
        guard let estimate = output.estimate else { continue }
        outcome.errors.append(length(estimate.point, PlanPoint(x: walk.truth[index].x, y: walk.truth[index].y)))
        if outcome.errors.last ?? .infinity < estimate.accuracy { outcome.covered += 1 }
      }
      return outcome
    }
  }

  @Test(arguments: [(0.0, 2.05, 0.66), (6, 1.95, 0.5), (-6, 2.15, 0.66)])
  func `an unknown adapter is learned within three minutes of walking, and accuracy is honest meanwhile`(
    level: Double, limit: Double, least: Double
  ) throws {
    var engine = IndoorEngine(model: try Gallery.model(isMapped: true))
    let outcomes = Self.outcomes(&engine, level: level)
    let last = try #require(outcomes.last)
    #expect(last.mean <= limit, "\(last.mean)")
    let all = outcomes.dropLast().flatMap(\.errors).count
    let covered = outcomes.dropLast().map(\.covered).reduce(0, +)
    #expect(Double(covered) / Double(all) >= least, "\(outcomes.map(\.coverage)) \(outcomes.map(\.mean))")
    let learned = try #require(engine.correction(adapter: 0))
    #expect(abs(learned.level + 0 - level) < 3, "\(learned.level)")
  }

  @Test func `offsets that were learned are in use after a restart`() throws {
    let model = try Gallery.model(isMapped: true)
    var engine = IndoorEngine(model: model)
    _ = Self.outcomes(&engine, level: -6)
    var restarted = IndoorEngine(model: model, learned: engine.learned)
    let correction = try #require(restarted.correction(adapter: 0))
    #expect(abs(correction.level + 4) < 2.5)
    let outcome = Self.outcomes(&restarted, level: -6, walks: [Gallery.walks[4]])[0]
    #expect(outcome.mean < 2.15, "\(outcome.mean)")
    #expect(outcome.absences[.inconsistent] == nil)
    restarted.resetLearning()
    #expect(restarted.correction(adapter: 0)?.level == RadioLearner.unknownLevel)
    #expect(restarted.learned.isEmpty)
  }

  @Test func `stored offsets that are not valid are ignored, and seconds without offsets count for nothing`() throws {
    let model = try Gallery.model(isMapped: true)
    var walked = IndoorEngine(model: model)
    _ = Self.outcomes(&walked, level: -6)
    let good = try #require(walked.learned[0])
    let plan = try #require(good.transmitters["1/1"]).plan
    func transmitter(_ sums: Double...) -> LearnedRadio.Transmitter { LearnedRadio.Transmitter(plan: plan, sums: sums) }
    let bad = LearnedRadio(
      transmitters: [
        "1/1": transmitter(.nan, 0, 0, 0, 0), "1/2": transmitter(1), "9/9": transmitter(1, 0, 0, 0, 0), "1/3": transmitter(-1, 0, 0, 0, 0),
        "1/4": transmitter(1, 1e308, 0, 0, 0),
      ],
      seconds: 10_000)
    let foreign = LearnedRadio(
      transmitters: Dictionary(good.transmitters.map { ("other \($0.key)", $0.value) }) { first, _ in first }, seconds: 10_000)
    for stored in [bad, foreign, LearnedRadio(seconds: 10_000), LearnedRadio(seconds: -5)] {
      let learner = RadioLearner(stored, model: model)
      #expect(learner.correction == RadioLearner(transmitters: 12).correction)
      #expect(learner.seconds == 0 && learner.levelDeviation == 4)
    }
    let restored = RadioLearner(good, model: model)
    #expect(restored.seconds == good.seconds && good.seconds > 120)
    // One transmitter cannot tell its own offset from the level of the adapter.
    let one = RadioLearner(LearnedRadio(transmitters: good.transmitters.filter { $0.key == "1/1" }, seconds: good.seconds), model: model)
    #expect(one.seconds == 0)
  }

  @Test(arguments: [0.0, 6, -6])
  func `while the level is uncertain, two thirds of the distances are within their deviation`(level: Double) throws {
    var (inside, count) = (0, 0)
    for walk in Gallery.walks {
      var engine = IndoorEngine(model: try Gallery.model(isMapped: true))
      for sighting in GalleryCase.louder(walk, by: level).sightings() {
        for output in engine.step([sighting], through: sighting.time) {
          guard let tick = walk.ticks.firstIndex(of: Double(output.time.microseconds) / 1e6),
            engine.learned[0]?.seconds ?? 0 < RadioLearner.secondsForRanging
          else { continue }
          for entry in output.distances {
            let truth = distance(Gallery.beacons[entry.transmitter], walk.truth[tick])
            count += 1
            if abs(GalleryCase.naturalLogarithm(entry.distance.metres / truth)) < entry.distance.deviation { inside += 1 }
          }
        }
      }
    }
    #expect(count > 1000 && Double(inside) >= 0.66 * Double(count), "\(inside) of \(count)")
  }

  @Test func `offsets of a transmitter that was moved or got another power are learned again`() throws {
    var engine = IndoorEngine(model: try Gallery.model(isMapped: true))
    _ = Self.outcomes(&engine, level: 0)
    let learned = try #require(engine.learned[0])
    let moved = try Gallery.model(isMapped: true) { index, transmitter in
      if index == 0 { transmitter.point.x += 1 }
      if index == 1 { transmitter.height += 0.5 }
      if index == 2 { transmitter.power -= 3 }
    }
    let restarted = RadioLearner(learned, model: moved)
    let kept = learned.transmitters.keys.filter { !["1/1", "1/2", "1/3"].contains($0) }
    #expect(kept.count == 9 && restarted.learned(model: moved).transmitters.keys.sorted() == kept.sorted())
    #expect(restarted.seconds == learned.seconds)
  }

  @Test func `stored offsets that become known during a visit replace those of less time, and no others`() throws {
    let model = try Gallery.model(isMapped: true)
    var long = IndoorEngine(model: model)
    _ = Self.outcomes(&long, level: -6)
    let stored = try #require(long.learned[0])
    var engine = IndoorEngine(model: model)
    _ = Self.outcomes(&engine, level: -6, walks: [Gallery.walks[0]])
    let revision = engine.revision
    engine.learn(stored, adapter: 0)
    #expect(engine.learned[0]?.seconds == stored.seconds && engine.revision > revision)
    engine.learn(LearnedRadio(seconds: 5), adapter: 0)
    #expect(engine.learned[0]?.seconds == stored.seconds)
    engine.learn(stored, adapter: 3)
    #expect(engine.adapters.sorted() == [0, 3])
  }

  @Test func `a receiver that stands still learns nothing`() throws {
    let model = try Gallery.model(isMapped: true)
    var engine = IndoorEngine(model: model)
    // The RSSI of one place, with the fading of that place.
    var time = Instant(microseconds: 0)
    for second in 0..<600 {
      let sightings = (0..<12).map { beacon in
        time += .milliseconds(80)
        return IndoorSighting(transmitter: beacon, rssi: -62 - Double((beacon * 7) % 23) + Double((second + beacon) % 3), time: time)
      }
      time = Instant(microseconds: Int64(second + 1) * 1_000_000)
      _ = engine.step(sightings, through: time)
    }
    #expect(engine.learned.isEmpty)
  }

  @Test func `a receiver that stands for a day learns at most a tenth of a decibel`() throws {
    // One building with cells of 4 m, because a day has 86,400 updates. The walking gate decides, which does not depend on the cells.
    let building = try TestBuilding(levels: 1, width: 24, depth: 24, cellSize: 4)
    var engine = IndoorEngine(model: building.model)
    let walk = building.pausing(seconds: 600, pause: 5, seed: 2)
    // Fading and noise of one place; the same minutes follow one another.
    let standing = building.pausing(seconds: 600, pause: 600, seed: 2)
    func play(_ seconds: [TestBuilding.Second], _ numbers: Range<Int>) {
      for number in numbers {
        let time = Instant(microseconds: Int64(number) * 1_000_000 + 500_000)
        let packets = seconds[number % seconds.count].packets
        _ = engine.step(
          packets.map { IndoorSighting(transmitter: $0.transmitter, rssi: $0.rssi, time: time) }, through: time + .milliseconds(501))
      }
    }
    play(walk, 0..<1200)
    let before = try #require(engine.correction(adapter: 0))
    play(standing, 1200..<87_600)
    let after = try #require(engine.correction(adapter: 0))
    #expect(abs(after.level - before.level) <= 0.1, "\(before.level) \(after.level)")
    #expect(zip(before.offsets, after.offsets).allSatisfy { abs($0 - $1) <= 0.1 })
  }

  @Test func `each adapter has offsets of its own`() throws {
    var engine = IndoorEngine(model: try Gallery.model(isMapped: true))
    let walk = Gallery.walks[0]
    let louder = GalleryCase.louder(walk, by: -6).sightings(adapter: 1)
    let all = (walk.sightings(adapter: 0) + louder).sorted { $0.time < $1.time }
    _ = engine.step(all, through: Instant(microseconds: Int64((walk.ticks.last ?? 0) * 1e6)))
    let (a, b) = (try #require(engine.correction(adapter: 0)), try #require(engine.correction(adapter: 1)))
    #expect(a.level - b.level > 2)
    #expect(engine.learned.keys.sorted() == [0, 1])
  }
}
