import Beacons
import Instants
import Seeds
import Testing

@testable import Ranging

@Suite struct AdvertisementGapsTests {
  /// Returns the gaps of a beacon whose advertisements have a random delay of up to 10 ms, as the standard has it.
  private func gaps(interval: Double, loss: Double, seconds: Double, seed: UInt64) -> AdvertisementGaps {
    var random = SeededGenerator(seed: seed)
    var gaps = AdvertisementGaps(from: Instant(microseconds: 0))
    var time = 0.0
    while time < seconds {
      time += interval + Double.random(in: 0...0.01, using: &random)
      if Double.random(in: 0..<1, using: &random) >= loss { gaps.hear(at: Instant(microseconds: Int64(time * 1e6))) }
    }
    return gaps
  }

  @Test(arguments: [0.02, 0.1, 0.152, 0.5, 1.022], [0, 0.1, 0.3, 0.6])
  func `the interval and the loss of a beacon are learned`(interval: Double, loss: Double) throws {
    for seed in UInt64(1)...10 {
      let gaps = gaps(interval: interval, loss: loss, seconds: 200, seed: seed)
      let reception = try #require(gaps.reception, "\(interval) s with loss \(loss), seed \(seed)")
      // The mean delay of 5 ms is a part of the interval.
      #expect(abs((reception.interval ?? 0) - interval - 0.005) < 0.03 * interval + 0.001, "\(interval) s, \(loss), seed \(seed)")
      // Three standard deviations of 64 gaps.
      #expect(abs((reception.loss ?? 1) - loss) < 0.15, "\(interval) s, \(loss), seed \(seed): \(reception)")
    }
  }

  @Test func `an interval is not learned from few advertisements`() {
    #expect(gaps(interval: 0.1, loss: 0, seconds: 1, seed: 1).reception == nil)
  }

  @Test func `an advertisement that two adapters have received counts once`() throws {
    var gaps = AdvertisementGaps(from: Instant(microseconds: 0))
    for index in 1...40 {
      gaps.hear(at: Instant(microseconds: Int64(index) * 100_000))
      gaps.hear(at: Instant(microseconds: Int64(index) * 100_000 + 900))
    }
    let reception = try #require(gaps.reception)
    #expect(abs((reception.interval ?? 0) - 0.1) < 0.001 && reception.loss == 0)
  }

  @Test func `an interval that changes is learned again`() throws {
    var gaps = AdvertisementGaps(from: Instant(microseconds: 0))
    for index in 1...100 { gaps.hear(at: Instant(microseconds: Int64(index) * 100_000)) }
    for index in 1...70 { gaps.hear(at: Instant(microseconds: 10_000_000 + Int64(index) * 350_000)) }
    #expect(abs((try #require(gaps.reception).interval ?? 0) - 0.35) < 0.001)
  }

  @Test func `random times have no interval, and a clock that jumps does no harm`() {
    var random = SeededGenerator(seed: 5)
    var gaps = AdvertisementGaps(from: Instant(microseconds: 0))
    var time: Int64 = 0
    for _ in 0..<64 {
      time += Int64.random(in: 30_000...900_000, using: &random)
      gaps.hear(at: Instant(microseconds: time))
    }
    #expect(gaps.reception == nil)
    gaps.hear(at: .never)
    gaps.hear(at: Instant(microseconds: 0))
    #expect(gaps.reception == nil)
  }

  @Test func `a log keeps a limited number of beacons, and forgets those that are gone`() {
    var log = ReceptionLog()
    func beacon(_ number: Int) -> BeaconIdentity {
      BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: UInt16(number >> 8), minor: UInt16(number & 0xFF))
    }
    func hear(_ number: Int, from second: Double) {
      for index in 0..<20 { log.hear(beacon(number), at: Instant(microseconds: Int64((second + Double(index) * 0.1) * 1e6))) }
    }
    for number in 0..<ReceptionLog.capacity { hear(number, from: 0) }
    hear(5000, from: 3)
    #expect(log.reception(of: beacon(0)) != nil && log.reception(of: beacon(5000)) == nil)
    hear(5001, from: 30)
    #expect(log.reception(of: beacon(5001)) != nil && log.reception(of: beacon(0)) == nil)
  }
}
