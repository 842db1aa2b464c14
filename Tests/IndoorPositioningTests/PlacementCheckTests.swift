import IndoorPositioning
import Instants
import Seeds
import Testing
import Venues

/// Hints about beacons that were moved, in a simulated room of 20 by 16 m.
@Suite struct PlacementCheckTests {
  /// Walks for some seconds past a beacon that hangs elsewhere, and returns the hints.
  ///
  /// - Parameters:
  ///   - place: the true place of a beacon whose planned place is (10, 8).
  ///   - power: the dB by which it is louder than expected.
  private func hints(_ place: PlanPoint, seconds: Int, power: Double = 0, seed: UInt64) -> [Double] {
    var random = SeededGenerator(seed: seed)
    var check = PlacementCheck()
    for _ in 0..<seconds {
      let point = PlanPoint(x: .random(in: 0...20, using: &random), y: .random(in: 0...16, using: &random))
      let (x, y) = (place.x - point.x, place.y - point.y)
      let metres = (x * x + y * y + 0.64).squareRoot()
      let level = -59 + power - 20 * logarithm(metres) + 5 * GalleryCase.normal(&random)
      // The position errs as well.
      let estimate = PlanPoint(x: point.x + GalleryCase.normal(&random), y: point.y + GalleryCase.normal(&random))
      check.add(level, of: 3, at: PlanPoint(x: 10, y: 8), height: 0.8, power: -59, exponent: 2, from: estimate)
    }
    return check.misplaced.filter { $0.transmitter == 3 }.map(\.metres)
  }

  private func logarithm(_ value: Double) -> Double { GalleryCase.decadicLogarithm(value) }

  @Test func `a beacon that was moved across the room is noticed after a quarter of an hour of walking`() {
    let found = hints(PlanPoint(x: 17, y: 14), seconds: 900, seed: 1)
    #expect(found.count == 1 && found.allSatisfy { abs($0 - 9.2) < 3 }, "\(found)")
    #expect(hints(PlanPoint(x: 17, y: 14), seconds: 899, seed: 1).isEmpty)
  }

  /// Returns evidence that another place explains the levels better, about the same plan as `known`.
  private static func evidence(like known: PlacementEvidence, seconds: Int = 900) -> PlacementEvidence {
    var evidence = known
    let count = known.sums.count / 2
    evidence.seconds = seconds
    evidence.sums = [Double](repeating: 0, count: count) + [90_000] + [Double](repeating: 20_000, count: count - 1)
    return evidence
  }

  @Test func `evidence outlives the process, so that minutes of several visits add up to a hint`() throws {
    let model = try Gallery.model(isMapped: true)
    var engine = IndoorEngine(model: model)
    for walk in Gallery.walks.prefix(2) {
      _ = engine.step(walk.sightings(), through: Instant(microseconds: Int64((walk.ticks.last ?? 0) * 1e6)))
    }
    let kept = engine.placements
    #expect(kept.count == model.transmitters.count && kept.allSatisfy { $0.seconds > 10 } && engine.misplaced.isEmpty)
    #expect(IndoorEngine(model: model, placements: kept).placements == kept)
    var next = IndoorEngine(model: model, placements: [Self.evidence(like: kept[3])])
    #expect(next.misplaced.map(\.transmitter) == [3])
    next.forgetPosition()
    #expect(next.misplaced.count == 1)
    next.resetLearning()
    #expect(next.misplaced.isEmpty && next.placements.isEmpty)
  }

  @Test func `stored evidence that is not valid or about another plan is ignored`() throws {
    let model = try Gallery.model(isMapped: true)
    var engine = IndoorEngine(model: model)
    _ = engine.step(Gallery.walks[0].sightings(), through: Instant(microseconds: Int64((Gallery.walks[0].ticks.last ?? 0) * 1e6)))
    let good = Self.evidence(like: try #require(engine.placements.first))
    #expect(IndoorEngine(model: model, placements: [good]).placements == [good])
    let changes: [(inout PlacementEvidence) -> Void] = [
      { $0.plan = "0 1 2 3 4" }, { $0.transmitter = "elsewhere" }, { $0.seconds = -1 }, { $0.seconds = .max }, { $0.sums[1] = .nan },
      { $0.sums.removeLast() }, { $0.sums[$0.sums.count - 1] = -1 }, { $0.sums = [] },
    ]
    for change in changes {
      var bad = good
      change(&bad)
      #expect(IndoorEngine(model: model, placements: [bad]).placements.isEmpty)
    }
  }

  @Test func `a beacon that is moved after hours in its place is noticed within 45 minutes of walking`() {
    var random = SeededGenerator(seed: 7)
    var check = PlacementCheck()
    func walk(_ seconds: Int, _ place: PlanPoint) {
      for _ in 0..<seconds {
        let point = PlanPoint(x: .random(in: 0...20, using: &random), y: .random(in: 0...16, using: &random))
        let (x, y) = (place.x - point.x, place.y - point.y)
        let level = -59 - 20 * logarithm((x * x + y * y + 0.64).squareRoot()) + 5 * GalleryCase.normal(&random)
        check.add(level, of: 0, at: PlanPoint(x: 10, y: 8), height: 0.8, power: -59, exponent: 2, from: point)
      }
    }
    walk(20_000, PlanPoint(x: 10, y: 8))
    #expect(check.misplaced.isEmpty)
    walk(2700, PlanPoint(x: 17, y: 14))
    #expect(check.misplaced.count == 1)
  }

  /// The reference finds 35 % of the beacons that were moved by 5 m, without a false hint.
  @Test func `at least a third of the beacons that were moved by 5 m are noticed, and none that were not`() {
    let count = 24
    let found = (0..<count).count { number in
      let direction = Double(number) * 2 * .pi / Double(count)
      let place = PlanPoint(x: 10 + 5 * GalleryCase.cosine(direction), y: 8 + 5 * GalleryCase.cosine(direction - .pi / 2))
      return !hints(place, seconds: 900, seed: UInt64(100 + number)).isEmpty
    }
    #expect(Double(found) >= 0.35 * Double(count), "\(found) of \(count)")
    for seed in 0..<count { #expect(hints(PlanPoint(x: 10, y: 8), seconds: 900, seed: UInt64(200 + seed)).isEmpty) }
  }

  @Test(arguments: [0.0, 5, -5]) func `a beacon in its place causes no hint, whatever its power`(power: Double) {
    for seed in 0..<5 { #expect(hints(PlanPoint(x: 10, y: 8), seconds: 900, power: power, seed: UInt64(seed)).isEmpty) }
  }

  @Test func `a plan that is wrong by less than the accuracy causes no hint`() {
    for seed in 0..<5 { #expect(hints(PlanPoint(x: 11.5, y: 8), seconds: 900, seed: UInt64(seed)).isEmpty) }
  }
}
