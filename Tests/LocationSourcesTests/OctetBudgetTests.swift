import Instants
import Testing

@testable import LocationSources

@Suite struct OctetBudgetTests {
  private static let start = Instant(microseconds: 0)

  @Test(arguments: [(10, 1000), (25, 1800), (10, 4500), (1, 60_000)])
  func `a receiver at its normal rate is never delayed`(rate: Int, octets: Int) {
    var budget = OctetBudget(at: Self.start)
    for number in 0..<(20 * rate) {
      let time = Self.start + .seconds(Double(number) / Double(rate))
      #expect(budget.spend(octets, at: time) == nil)
    }
  }

  @Test func `a burst after a quiet period is read at once`() {
    var budget = OctetBudget(at: Self.start)
    for _ in 0..<8 { #expect(budget.spend(16_384, at: Self.start + .seconds(3600)) == nil) }
    #expect(budget.spend(1, at: Self.start + .seconds(3600)) != nil)
  }

  @Test(arguments: [100, 4096, 16_384])
  func `a flood is read at the permitted rate, in few turns`(octets: Int) throws {
    var budget = OctetBudget(at: Self.start)
    var (time, read, pauses) = (Self.start, 0, 0)
    let end = Self.start + .seconds(20)
    while time < end {
      read += octets
      guard let pause = budget.spend(octets, at: time) else { continue }
      pauses += 1
      time += pause
    }
    #expect(Double(read) <= OctetBudget.rate * 20 + OctetBudget.burst + 16_384)
    #expect(Double(read) >= OctetBudget.rate * 18)
    #expect(pauses <= 20 * 4 + 1)
  }
}
