import Instants
import Ranging
import Testing

@Suite struct RSSIFilterTests {
  func filter(_ samples: [(seconds: Double, rssi: Int8)], timeConstant: Double = 2) -> RSSIFilter? {
    var filter: RSSIFilter?
    for sample in samples {
      let time = Instant(microseconds: 0) + .seconds(sample.seconds)
      if filter == nil {
        filter = RSSIFilter(rssi: Double(sample.rssi), at: time)
      } else {
        filter?.add(rssi: Double(sample.rssi), at: time, decay: 1 / (timeConstant * 1e6))
      }
    }
    return filter
  }

  @Test func `the level covers 63 percent of a small step after one time constant`() throws {
    let steps = (0...20).map { (seconds: Double($0) / 10, rssi: Int8($0 == 0 ? -70 : -64)) }
    let level = try #require(filter(steps)).level
    #expect(abs(level - (-70 + 6 * (1 - 0.36788))) < 0.01)
  }

  @Test func `the level depends on time, not on the number of samples`() throws {
    let sparse = try #require(filter([(0, -70), (1, -64), (2, -64)]))
    let dense = try #require(filter([(0, -70)] + (1...200).map { (Double($0) / 100, -64) }))
    #expect(abs(sparse.level - dense.level) < 1e-9)
  }

  @Test func `a fade in small steps reaches its end`() throws {
    let fade = [(0.0, Int8(-64))] + (1...120).map { (Double($0) / 10, Int8(-72)) }
    #expect(abs(try #require(filter(fade)).level + 72) < 0.05)
  }

  @Test func `one deep fade moves the level no more than a step of 10 dB`() throws {
    let fade = try #require(filter([(0, -60), (1, -100)]))
    let step = try #require(filter([(0, -60), (1, -70)]))
    #expect(fade.level == step.level)
  }

  @Test func `the filter restarts after a long silence`() throws {
    let restarted = try #require(filter([(0, -60), (1, -60), (11, -90)]))
    #expect(restarted.level == -90)
    #expect(restarted.samples == 1)
  }

  @Test func `the effective number of samples follows their weights`() throws {
    func effective(_ samples: [(seconds: Double, rssi: Int8)]) throws -> Double { 1 / Double(try #require(filter(samples)).squaredWeights) }
    #expect(try effective([(0, -70)]) == 1)
    // Weights of e^(−1/2) and 1 − e^(−1/2).
    #expect(abs(try effective([(0, -70), (1, -70)]) - 1 / (0.36788 + 0.15482)) < 1e-3)
    // In the long run (1 + a) / (1 − a) with a = e^(−Δt/τ).
    #expect(abs(try effective((0...300).map { (Double($0) / 10, -70) }) - 40) < 0.1)
    #expect(abs(try effective((0...30).map { (Double($0), -70) }) - 4.083) < 0.01)
  }

  @Test func `noisy samples widen the variance of the level, and many calm ones narrow it to the shadowing`() throws {
    let calm = try #require(filter((0...300).map { (Double($0) / 10, -70) }))
    let noisy = try #require(filter((0...300).map { (Double($0) / 10, $0 % 2 == 0 ? -62 : -78) }))
    #expect(noisy.levelVariance > calm.levelVariance)
    #expect(calm.levelVariance > 25 && calm.levelVariance < 25.1)
  }
}
