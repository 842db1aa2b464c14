import Foundation
import Testing

@testable import Simulation

@Suite struct RandomStreamTests {
  /// The first words of Vigna's splitmix64.c for this seed.
  @Test func `the stream has the words of SplitMix64`() {
    var random = RandomStream(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in random.word() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  @Test(arguments: [0x1p-53, 1e-300, 0.1, 0.5, 0.707, 0.7072, 0.999_999_999_999_999_9, 1, 1.000_000_1, 2, 2.718_281_828, 10, 1e9, 1e300])
  func `the logarithm equals that of the C library to a few units in the last place`(value: Double) {
    let (ours, theirs) = (value.naturalLogarithm, log(value))
    #expect(abs(ours - theirs) <= 4 * max(theirs.ulp, 0x1p-56))
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `normal numbers have mean 0, variance 1 and a normal tail`(seed: UInt64) {
    var random = RandomStream(seed: seed)
    let numbers = (0..<200_000).map { _ in random.normal() }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let variance = numbers.reduce(0) { $0 + $1 * $1 } / Double(numbers.count)
    let beyondTwo = Double(numbers.count { abs($0) > 2 }) / Double(numbers.count)
    // The limits are four standard errors each; 2 Φ(−2) = 0.0455.
    #expect(abs(mean) < 0.009 && abs(variance - 1) < 0.013 && abs(beyondTwo - 0.0455) < 0.0019)
  }

  @Test func `exponential times have their mean and no memory`() {
    var random = RandomStream(seed: 4)
    let times = (0..<100_000).map { _ in random.exponential(mean: 12) }
    let old = times.filter { $0 > 30 }.map { $0 - 30 }
    #expect(abs(times.reduce(0, +) / Double(times.count) - 12) < 0.16)
    #expect(abs(old.reduce(0, +) / Double(old.count) - 12) < 0.6)
    #expect(abs(Double(old.count) / Double(times.count) - exp(-2.5)) < 0.0035)
  }

  @Test func `streams of different things are independent`() {
    var first = RandomStream(seed: 1, .fading, 0, 1)
    var second = RandomStream(seed: 1, .fading, 1, 0)
    let products = (0..<100_000).map { _ in first.normal() * second.normal() }
    #expect(abs(products.reduce(0, +) / 100_000) < 0.013)
  }
}
