import IndoorPositioning
import Instants
import Testing
import Venues

/// Adapters whose level the configuration declares, rightly or not, on the gallery walks in several orders.
@Suite struct DeclaredLevelTests {
  /// The walks last 4.5 minutes together.
  private static let orders = [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1], [1, 0, 4, 2, 3]]
  private static let learningSeconds = 180

  private struct Second {
    /// The seconds of walking until then, and the number of the walk.
    var time: Int
    var walk: Int
    var error: Double?
    var accuracy = 0.0
    var isGoodForDistances: Bool
    var isDistrusted: Bool
  }

  /// Walks in this order with an adapter that is declared calibrated and hears everything `level` dB louder.
  private static func walk(
    _ order: [Int], level: Double, indices: [Int] = Array(0..<12), share: Double = 1, isLearning: Bool = true, seed: UInt64 = 0
  ) throws -> [Second] {
    var engine = IndoorEngine(
      model: try Gallery.model(isMapped: true, indices: indices), calibration: IndoorCalibration(isForAll: true), isLearning: isLearning)
    var random = GalleryCase.generator(seed)
    var (start, walked) = (0.0, 0)
    var seconds: [Second] = []
    for (number, index) in order.enumerated() {
      let walk = Gallery.walks[index]
      let shift = Int64((start - walk.start.rounded(.down)) * 1e6)
      start += (walk.minutes * 60).rounded(.up) + 60
      let changed = GalleryCase.thinned(GalleryCase.louder(walk, by: level), to: share, &random)
      let end = Instant(microseconds: Int64((walk.ticks.last ?? 0) * 1e6) + 1 + shift)
      for var sighting in changed.sightings(indices) {
        sighting.time.microseconds += shift
        if sighting.time > end { break }
        for output in engine.step([sighting], through: sighting.time) {
          guard let tick = walk.ticks.firstIndex(of: Double(output.time.microseconds - shift) / 1e6) else { continue }
          let truth = PlanPoint(x: walk.truth[tick].x, y: walk.truth[tick].y)
          seconds.append(
            Second(
              time: walked + tick, walk: number, error: output.estimate.map { length($0.point, truth) },
              accuracy: output.estimate?.accuracy ?? 0, isGoodForDistances: output.isGoodForDistances,
              isDistrusted: engine.learned[0]?.isDistrusted ?? false))
        }
      }
      walked += walk.ticks.count
    }
    return seconds
  }

  private static func mean(_ seconds: [Second]) -> Double {
    let errors = seconds.compactMap(\.error)
    return errors.isEmpty ? 0 : errors.reduce(0, +) / Double(errors.count)
  }

  private static func coverage(_ seconds: [Second]) -> Double {
    let errors = seconds.filter { $0.error != nil }
    return errors.isEmpty ? 1 : Double(errors.count { $0.error ?? .infinity < $0.accuracy }) / Double(errors.count)
  }

  @Test(arguments: orders, [0.0, 1, -1])
  func `an adapter whose declared level is right is never distrusted`(order: [Int], level: Double)
    throws
  {
    let seconds = try Self.walk(order, level: level)
    #expect(!seconds.contains { $0.isDistrusted })
    #expect(Self.mean(seconds) <= 1.8, "\(Self.mean(seconds))")
    #expect(seconds.count { $0.error != nil } > seconds.count * 9 / 10)
    #expect(Self.coverage(seconds) >= 0.62, "\(Self.coverage(seconds))")
  }

  @Test(arguments: [(8, 1.0), (6, 1), (12, 1 / 2.2), (12, 0.5 / 2.2)])
  func `a right level is trusted with few beacons and with rare packets`(count: Int, share: Double) throws {
    for seed in 0..<3 as Range<UInt64> {
      var random = GalleryCase.generator(seed)
      let indices = count == 12 ? Array(0..<12) : Array(Array(0..<12).shuffled(using: &random).prefix(count)).sorted()
      let seconds = try Self.walk(Self.orders[Int(seed)], level: 0, indices: indices, share: share, seed: seed)
      #expect(!seconds.contains { $0.isDistrusted }, "\(count) beacons, share \(share), seed \(seed)")
    }
  }

  @Test(arguments: orders, [-6.0, -4, 6])
  func `a declared level that is wrong is found within three minutes of walking, and the position then errs by 2 m`(
    order: [Int], level: Double
  ) throws {
    let seconds = try Self.walk(order, level: level)
    let (early, late) = (seconds.filter { $0.time < Self.learningSeconds }, seconds.filter { $0.time >= Self.learningSeconds })
    #expect(late.allSatisfy { $0.isDistrusted })
    #expect(Self.mean(late) <= 2.3, "\(Self.mean(late))")
    #expect(Self.coverage(late) >= 0.6, "\(Self.coverage(late))")
    let found = try #require(early.first { $0.isDistrusted }).time
    #expect(found < 120, "\(found)")
    // From then on the accuracy contains the doubt about the level, and regions follow the signal.
    let after = early.filter { $0.time > found }
    #expect(!after.filter { $0.time < found + RadioLearner.secondsForRanging }.contains { $0.isGoodForDistances })
    for walk in Set(after.map(\.walk)) {
      let outputs = after.filter { $0.walk == walk && $0.error != nil }
      // A few seconds say nothing about a share.
      if outputs.count >= 20 { #expect(Self.coverage(outputs) >= 0.4, "walk \(walk): \(Self.coverage(outputs))") }
    }
  }

  /// Ten decibels are beyond what an unknown adapter is prepared for, which starts 5 dB low.
  @Test func `a level that is wrong by 10 dB is found, and the position gets nearer to the truth`() throws {
    var late: [Second] = []
    for order in Self.orders {
      let seconds = try Self.walk(order, level: -10)
      let found = try #require(seconds.first { $0.isDistrusted }).time
      #expect(found < Self.learningSeconds, "\(found)")
      late += seconds.filter { $0.time >= Self.learningSeconds }
    }
    #expect(Self.mean(late) <= 4, "\(Self.mean(late))")
  }

  @Test func `without learning, the position of a level that is wrong by 10 dB is hidden, and the level stays`() throws {
    let seconds = try Self.walk([4], level: -10, isLearning: false)
    #expect(!seconds.contains { $0.isDistrusted })
    #expect(seconds.dropFirst(35).allSatisfy { $0.error == nil })
  }

  /// The room's own path loss acts like a wrong level. Learning it is as good as knowing it.
  @Test(arguments: [(2.0, 0.0), (2.4, 0), (2.8, 0), (2, -6), (2, 6), (2.4, -6)])
  func `in simulated halls a distrusted level costs nothing, and a wrong one is learned`(exponent: Double, gain: Double) throws {
    let building = try TestBuilding(levels: 1, width: 24, depth: 18, cellSize: 0.5, spacing: 6, exponent: exponent, gain: gain)
    var (errors, unknown): ([Double], [Double]) = ([], [])
    for seed in 1...2 as ClosedRange<UInt64> {
      let walk = building.walk(seconds: 420, seed: seed)
      for isCalibrated in [true, false] {
        var engine = IndoorEngine(model: building.model, calibration: IndoorCalibration(isForAll: isCalibrated))
        for (number, second) in walk.enumerated() {
          let time = Instant(microseconds: Int64(number) * 1_000_000)
          let sightings = second.packets.map { IndoorSighting(transmitter: $0.transmitter, rssi: $0.rssi, time: time + .milliseconds(500)) }
          for output in engine.step(sightings, through: time + .seconds(1)) where number > Self.learningSeconds {
            guard let estimate = output.estimate else { continue }
            let error = length(estimate.point, second.position)
            if isCalibrated { errors.append(error) } else { unknown.append(error) }
          }
        }
      }
    }
    let (mean, reference) = (errors.reduce(0, +) / Double(errors.count), unknown.reduce(0, +) / Double(unknown.count))
    #expect(errors.count > 300 && mean <= 3.5, "\(mean)")
    // A level that is right, or nearly, keeps its own noise.
    #expect(mean <= reference + (gain == 0 && exponent == 2 ? 0.8 : 0.4), "\(mean), learned from the start \(reference)")
  }

  @Test func `a level stays distrusted over a restart, until it is reset or no longer declared`() throws {
    let model = try Gallery.model(isMapped: true)
    let stored = LearnedRadio(isDistrusted: true)
    func level(_ learned: LearnedRadio, isCalibrated: Bool) -> Double? {
      IndoorEngine(model: model, calibration: IndoorCalibration(isForAll: isCalibrated), learned: [0: learned]).correction(adapter: 0)?
        .level
    }
    #expect(level(stored, isCalibrated: true) == RadioLearner.unknownLevel)
    #expect(level(LearnedRadio(), isCalibrated: true) == 0)
    var engine = IndoorEngine(model: model, calibration: IndoorCalibration(isForAll: true), learned: [0: stored])
    #expect(engine.learned[0]?.isDistrusted == true)
    engine.resetLearning()
    #expect(engine.learned.isEmpty && engine.correction(adapter: 0)?.level == 0)
    let unknown = IndoorEngine(model: model, learned: [0: stored])
    #expect(unknown.learned.isEmpty)
  }
}
