import Foundation
import Instants
import Testing
import Venues

@testable import Simulation

@Suite struct RadioTests {
  private static let start = Scenario.start

  /// Returns the RSSIs that one adapter hears of a beacon of −59 dBm, and the number of packets sent.
  private static func heard(
    metres: Double, radio: RadioModel, interval: Span = .milliseconds(100), duration: Span = .seconds(10_000), loss: BurstLoss? = nil
  ) -> (rssi: [Int8], sent: Int) {
    var simulator = Simulator(
      .still(metres: metres, radio: radio, interval: interval, duration: duration, loss: loss), seed: 5, hasCrowd: false)
    let rssi = simulator.all().map(\.rssi)
    return (rssi, simulator.sent)
  }

  @Test(arguments: [(1.0, -59.0), (10, -86), (0.1, -32), (0.01, -32)])
  func `the level without fading falls by 10 n dB per tenfold distance, down to 10 cm`(metres: Double, level: Double) {
    let rssi = Self.heard(metres: metres, radio: .clear).rssi
    #expect(abs(rssi.mean - level) < 0.5)
    #expect(rssi.allSatisfy { abs(Double($0) - level) <= 1 })
  }

  /// The mean and deviation in dB of a Rician power of mean 1, from 2,000,000 draws in another language, to 0.02.
  @Test(arguments: [(0.0, -2.51, 5.57), (2, -1.54, 4.37), (8, -0.52, 2.26)])
  func `fading has the mean and deviation of a Rice distribution`(factor: Double, mean: Double, deviation: Double) {
    var radio = RadioModel.clear
    radio.fading = RicianFading(factor: factor)
    let rssi = Self.heard(metres: 1, radio: radio).rssi
    let centre = rssi.mean
    let variance = rssi.map { pow(Double($0) - centre, 2) }.reduce(0, +) / Double(rssi.count)
    // Rounding to whole dBm adds a variance of a twelfth.
    #expect(abs(centre + 59 - mean) < 0.1)
    #expect(abs((variance - 1 / 12.0).squareRoot() - deviation) < 0.1)
  }

  @Test(arguments: [
    BurstLoss(loss: 0.6, burst: .seconds(12)), BurstLoss(loss: 0.6, burst: nil), BurstLoss(loss: 0.3, burst: .seconds(2), burstLoss: 0.5),
  ])
  func `the loss has the configured rate`(loss: BurstLoss) {
    let result = Self.heard(metres: 1, radio: .clear, interval: .seconds(1), duration: .seconds(60_000), loss: loss)
    #expect(abs(1 - Double(result.rssi.count) / Double(result.sent) - loss.loss) < 0.02)
  }

  @Test func `bursts have their mean length at any interval`() {
    var channel = BurstChannel(BurstLoss(loss: 0.6, burst: .seconds(12)), RandomStream(seed: 8), from: Self.start)
    var lengths: [Double] = []
    var length = 0.0
    for step in 0..<4_000_000 {
      if channel.loses(at: Self.start + .milliseconds(Int64(step) * 50)) {
        length += 0.05
      } else if length > 0 {
        lengths.append(length)
        length = 0
      }
    }
    #expect(abs(lengths.mean - 12) < 0.5)
    // Exponential: e^(−30/12) of them are longer than half a minute.
    let long = lengths.map { $0 > 30 ? 1.0 : 0 }
    #expect(abs(long.mean - exp(-2.5)) < 0.012)
  }

  @Test func `single losses are independent`() {
    var channel = BurstChannel(BurstLoss(loss: 0.25, burst: nil), RandomStream(seed: 9), from: Self.start)
    let losses = (0..<100_000).map { channel.loses(at: Self.start + .seconds(Double($0))) }
    #expect(abs(Double(zip(losses, losses.dropFirst()).count { $0 && $1 }) / 100_000 - 0.0625) < 0.004)
  }

  @Test func `a signal that is too weak is not heard`() {
    var radio = RadioModel.clear
    radio.pathLossExponent = 3
    // −59 − 30 log 16 = −95.1.
    #expect(Self.heard(metres: 15, radio: radio).rssi.count > 90_000)
    #expect(Self.heard(metres: 17, radio: radio).rssi.count < 10_000)
  }

  @Test func `shadowing is normally distributed over a venue, constant at a place, and nearly equal a step away`() {
    let field = ShadowField(RandomStream(seed: 10), step: 2)
    let places = (0..<200).flatMap { x in
      (0..<200).map { BuildingPoint(point: PlanPoint(x: Double(x) * 4.3, y: Double($0) * 4.1), storey: 0) }
    }
    let values = places.map(field.value)
    #expect(abs(values.reduce(0, +) / Double(values.count)) < 0.03)
    #expect(abs(values.reduce(0) { $0 + $1 * $1 } / Double(values.count) - 1) < 0.04)
    #expect(values == places.map(field.value))
    let near = zip(places, values).map { place, value in
      abs(field.value(at: BuildingPoint(point: PlanPoint(x: place.point.x + 0.05, y: place.point.y), storey: 0)) - value)
    }
    #expect((near.max() ?? 9) < 0.5)
  }
}

extension [Double] {
  fileprivate var mean: Double { reduce(0, +) / Double(count) }
}

extension [Int8] {
  fileprivate var mean: Double { map { Double($0) }.mean }
}
