import Beacons
import RealModule
import Seeds
import SignalCalibration
import Testing

@Suite struct SignalFitTests {
  private static func beacon(_ minor: UInt16) -> BeaconIdentity {
    BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: minor)
  }

  /// A room with beacons that differ, and independent noise in each packet.
  private struct Room {
    var exponent = 2.5
    var receiver = 0.0
    var offsets: [Double] = [3]
    var noise = 4.0
    var fading = 0.0
    var seed: UInt64 = 1

    /// Returns a sample for each beacon at each distance.
    func samples(_ distances: [Double], packets: Int) -> [SignalSample] {
      var random = SeededGenerator(seed: seed)
      return offsets.indices.flatMap { index in
        distances.map { distance in
          let place = fading * random.normal()
          let sum = (0..<packets).reduce(0.0) { sum, _ in sum + noise * random.normal() }
          let level = -59 - receiver - offsets[index] - 10 * exponent * .log10(distance)
          return SignalSample(
            beacon: SignalFitTests.beacon(UInt16(index)), power: -59, distance: distance, rssi: level + place + sum / Double(packets),
            packets: packets)
        }
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `two hundred samples at five distances give the exponent within 0.1 and the power within 1 dB`(seed: UInt64) throws {
    let fit = try #require(SignalFit.calibration(of: Room(seed: seed).samples([1, 2, 4, 8, 16], packets: 200)))
    let exponent = try #require(fit.exponent)
    #expect(abs(exponent.value - 2.5) <= 0.1, "\(exponent)")
    let power = try #require(fit.beacons.first).power
    #expect(abs(power.value - -62) <= 1, "\(power)")
  }

  @Test func `stated deviations cover two thirds of the errors, where fading is unknown`() throws {
    var (covered, total) = (0, 0)
    for seed in 1...150 as ClosedRange<UInt64> {
      let room = Room(exponent: 2.2, receiver: 4, offsets: [3, -4, 0, 5, -2, 1], fading: 5, seed: seed)
      let fit = try #require(SignalFit.calibration(of: room.samples([1, 2, 3, 5, 8, 12], packets: 20)))
      let exponent = try #require(fit.exponent)
      let sums = try fit.beacons.map { beacon in
        (beacon.offset.value + (try #require(fit.adapters[0])).value, room.offsets[Int(beacon.identity.minor)] + room.receiver)
      }
      total += 1
      if abs(exponent.value - room.exponent) <= exponent.deviation { covered += 1 }
      // The sum of both offsets is what distances need.
      let error = sums.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      #expect((error / Double(sums.count)).squareRoot() < 7)
      #expect(abs(fit.fading - 5) < 2.5)
    }
    let share = Double(covered) / Double(total)
    #expect((0.58...0.80).contains(share), "\(share)")
  }

  @Test func `an outlier among the places changes little`() throws {
    let room = Room(offsets: [0, 2, -2], noise: 2, fading: 1)
    var samples = room.samples([1, 2, 4, 8], packets: 50)
    let clean = try #require(SignalFit.calibration(of: samples))
    let first = samples[0]
    samples[0] = SignalSample(beacon: first.beacon, power: first.power, distance: first.distance, rssi: first.rssi - 40, packets: 50)
    let spoiled = try #require(SignalFit.calibration(of: samples))
    #expect(abs(try #require(spoiled.exponent).value - (try #require(clean.exponent)).value) < 0.25)
  }

  @Test func `a single distance determines the power there, and not the exponent`() throws {
    let fit = try #require(SignalFit.calibration(of: Room(offsets: [6]).samples([1], packets: 100)))
    #expect(fit.exponent == nil && fit.shortages == [.distances(1...1)] && fit.adapters.isEmpty)
    #expect(abs(try #require(fit.beacons.first).power.value - -65) < 1.5)
  }

  @Test func `an exponent of three places alone is too uncertain, and is not used`() throws {
    let fit = try #require(SignalFit.calibration(of: Room(fading: 6, seed: 3).samples([1, 2, 4], packets: 50)))
    #expect(fit.exponent == nil)
    #expect(
      fit.shortages.contains {
        if case .exponent(let estimate) = $0 { estimate.deviation > 0.5 } else { false }
      }, "\(fit.shortages)")
  }

  @Test func `distances of different beacons show no exponent`() throws {
    let one = Room(offsets: [0, 3, -3]).samples([1, 2, 4], packets: 100)
    let fit = try #require(SignalFit.calibration(of: [one[0], one[4], one[8]]))
    #expect(fit.exponent == nil && fit.shortages.first == .distances(1...1))
  }

  @Test func `a known offset of the receiver counts where it cannot be fitted`() throws {
    let fit = try #require(SignalFit.calibration(of: Room(receiver: 6, offsets: [0]).samples([1], packets: 100)) { _ in 6 })
    #expect(abs(try #require(fit.beacons.first).offset.value) < 1.5 && fit.adapters.isEmpty)
  }

  @Test func `distances that are nearly the same show no exponent`() throws {
    let fit = try #require(SignalFit.calibration(of: Room().samples([2, 2.05, 2.1, 2.15], packets: 100)))
    #expect(fit.exponent == nil)
  }

  @Test func `a beacon with too few packets gets no offset, and is named`() throws {
    var samples = Room(offsets: [0, 1, 2]).samples([1, 3, 9, 12], packets: 40)
    samples.append(SignalSample(beacon: Self.beacon(9), power: -59, distance: 2, rssi: -70, packets: 3))
    let fit = try #require(SignalFit.calibration(of: samples))
    #expect(fit.shortages == [.packets(Self.beacon(9), 3)])
    #expect(fit.beacons.map(\.identity.minor) == [0, 1, 2])
  }

  @Test func `two adapters have offsets of their own`() throws {
    let room = Room(exponent: 2, offsets: [0, 3, -3], noise: 2)
    let weak = room.samples([1, 2, 4, 8], packets: 50).map {
      SignalSample(beacon: $0.beacon, adapter: 1, power: $0.power, distance: $0.distance, rssi: $0.rssi - 8, packets: $0.packets)
    }
    let fit = try #require(SignalFit.calibration(of: room.samples([1, 2, 4, 8], packets: 50) + weak))
    let (first, second) = (try #require(fit.adapters[0]), try #require(fit.adapters[1]))
    #expect(abs(second.value - first.value - 8) < 1)
  }

  @Test func `impossible samples are refused and counted`() throws {
    let good = Room().samples([1, 2, 4], packets: 30)
    let bad =
      [0.0, -1, .nan, .infinity, 1000].map {
        SignalSample(beacon: Self.beacon(0), power: -59, distance: $0, rssi: -70, packets: 5)
      } + [
        SignalSample(beacon: Self.beacon(0), power: -59, distance: 1, rssi: .nan, packets: 5),
        SignalSample(beacon: Self.beacon(0), power: -59, distance: 1, rssi: -60, packets: 0),
      ]
    #expect(try #require(SignalFit.calibration(of: good + bad)).refused == bad.count)
    #expect(SignalFit.calibration(of: bad) == nil && SignalFit.calibration(of: []) == nil)
  }

  @Test func `residuals are listed by distance`() throws {
    let fit = try #require(SignalFit.calibration(of: Room(noise: 1).samples([1, 2, 5, 9], packets: 50)))
    #expect(fit.residuals.map(\.distances) == [1...2, 2...4, 4...8, 8...16])
    #expect(fit.residuals.allSatisfy { abs($0.mean) < 1 && $0.spread < 1 && $0.samples == 1 })
  }
}
