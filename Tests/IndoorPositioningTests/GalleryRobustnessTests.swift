import IndoorPositioning
import Testing

/// Degraded conditions. Each limit is a measured figure of the reference plus the noise of such figures.
@Suite struct GalleryRobustnessTests {
  private static let (positionNoise, hitNoise, zoneNoise) = (0.15, 0.05, 0.1)
  /// The tolerance for random subsets of beacons, which differ more than walks do.
  private static let subsetNoise = 0.4

  /// Compares the mean error of positions, the hits of the nearest beacon and F1 of zones with those of the reference.
  private func check(
    _ runs: [GalleryRun], _ straight: (Double, Double, Double), _ rectangular: (Double, Double, Double), noise: Double = positionNoise
  ) {
    for (isStraight, expected) in [(true, straight), (false, rectangular)] {
      let score = GalleryScore(runs.filter { $0.walk.isStraight == isStraight })
      #expect(score.mean <= expected.0 + noise, "straight: \(isStraight), \(score)")
      #expect(score.hit >= expected.1 - Self.hitNoise, "straight: \(isStraight), \(score)")
      #expect(score.zoneF1 >= expected.2 - Self.zoneNoise, "straight: \(isStraight), \(score)")
    }
  }

  @Test func `unknown heights of beacons change nothing`() throws {
    let model = try Gallery.model(isMapped: true) { $1.height = RoomTransmitter.usualHeight }
    check(Gallery.walks.map { GalleryRun($0, model) }, (1.57, 0.69, 0.63), (1.52, 0.65, 0.7))
  }

  @Test(arguments: [
    (0.5, (1.57, 0.69, 0.62), (1.61, 0.68, 0.63)), (1, (1.66, 0.67, 0.59), (1.77, 0.68, 0.61)), (2, (2.12, 0.59, 0.51), (2.08, 0.63, 0.55)),
  ])
  func `a plan that is wrong by up to 2 m costs little`(
    deviation: Double, straight: (Double, Double, Double), rectangular: (Double, Double, Double)
  ) throws {
    let runs = try GalleryCase.runs(0..<3) { try GalleryCase.shifted(deviation, &$0) }
    // Three plans at random.
    check(runs, weakened(straight), weakened(rectangular), noise: 0.3)
  }

  @Test(arguments: [
    (10, (2.03, 0.66, 0.54), (1.75, 0.66, 0.62)), (6, (3.25, 0.64, 0.4), (2.59, 0.68, 0.59)), (4, (4.3, 0.73, 0.29), (4, 0.65, 0.45)),
  ])
  func `missing beacons widen the error no more than in the reference`(
    count: Int, straight: (Double, Double, Double), rectangular: (Double, Double, Double)
  ) throws {
    let runs = try GalleryCase.runs(0..<4) { try GalleryCase.some(count, &$0) }
    check(runs, weakened(straight), weakened(rectangular), noise: Self.subsetNoise)
  }

  /// Returns the figures with room for random plans, of which the reference had others.
  private func weakened(_ figures: (Double, Double, Double)) -> (Double, Double, Double) { (figures.0, figures.1 - 0.1, figures.2 - 0.1) }

  @Test func `four beacons at the edges still give positions, with an accuracy that covers their errors`() throws {
    let indices = [2, 4, 8, 10]
    let model = try Gallery.model(isMapped: true, indices: indices)
    let runs = Gallery.walks.map { GalleryRun($0, model, indices: indices) }
    // The reference has no zone events on the second walk.
    check(runs, (4.6, 0.73, 0.11), (4.6, 0.46, 0))
    #expect(GalleryScore(runs).coverage > 0.6, "\(GalleryScore(runs))")
  }

  @Test(arguments: [(1, (1.92, 0.63, 0.58), (1.75, 0.64, 0.67)), (0.5, (2.61, 0.48, 0.4), (2.1, 0.62, 0.62))])
  func `beacons that send rarely still give positions`(
    rate: Double, straight: (Double, Double, Double), rectangular: (Double, Double, Double)
  ) throws {
    let runs = try GalleryCase.runs(0..<3, { _ in try GalleryCase.base() }) { GalleryCase.thinned($0, to: rate / 2.2, &$1) }
    check(runs, straight, rectangular)
  }

  @Test func `a visitor at three times the speed is followed`() throws {
    let runs = try GalleryCase.runs(0..<1, { _ in try GalleryCase.base() }) { walk, _ in walk.faster(3) }
    check(runs, (2.78, 0.46, 0.62), (2.39, 0.61, 0.86))
  }

  @Test func `a receiver that is 6 dB too strong errs by 3 m`() throws {
    let runs = try GalleryCase.runs(0..<1, { _ in try GalleryCase.base() }) { walk, _ in GalleryCase.louder(walk, by: 6) }
    check(runs, (3.1, 0.41, 0.33), (2.1, 0.73, 0.82))
  }

  @Test func `a receiver that is 6 dB too weak is noticed, or errs by no more than in the reference`() throws {
    let runs = try GalleryCase.runs(0..<1, { _ in try GalleryCase.base() }) { walk, _ in GalleryCase.louder(walk, by: -6) }
    check(runs, (6.5, 0.35, 0.06), (7.4, 0.05, 0))
  }

  @Test(arguments: [(12, 0.74), (8, 0.73), (6, 0.77), (4, 0.71)])
  func `accuracy is honest with few beacons`(count: Int, reference: Double) throws {
    let runs = try GalleryCase.runs(0..<3, hasZones: false) { try GalleryCase.some(count, &$0) }
    let score = GalleryScore(runs)
    #expect(score.coverage >= reference - 0.1 && score.coverage <= reference + 0.2, "\(score)")
  }
}
