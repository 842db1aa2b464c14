import Foundation
import IndoorPositioning
import Instants
import Motion
import SensorSimulation
import Testing
import Venues

/// The gain by the sensors of motion, for a visitor that walks through a building and stops on the way.
///
/// Docs/decisions/0062 has the figures.
@Suite struct MotionGainTests {
  struct Outcome {
    var errors: [Double] = []
    var covered = 0
    /// The metres by which the position moved from second to second.
    var moves: [Double] = []

    var mean: Double { errors.reduce(0, +) / Double(errors.count) }
    var wander: Double { moves.reduce(0, +) / Double(moves.count) }
    var coverage: Double { Double(covered) / Double(errors.count) }
    var text: String {
      func round(_ value: Double) -> Double { (value * 100).rounded() / 100 }
      return
        "\(errors.count) positions, error \(round(mean)) m, 95 % \(round(percentile(errors, 0.95))) m, wanders \(round(wander)) m/s, covered \(round(coverage))"
    }
  }

  /// Returns the outcomes of the seconds at rest, from the sixth after each stop on, and of all others.
  private static func outcomes(hasSensors: Bool, pause: Int, seeds: ClosedRange<UInt64>, seconds: Int = 600) throws -> (
    still: Outcome, walk: Outcome
  ) {
    var (still, walk) = (Outcome(), Outcome())
    let building = try TestBuilding(levels: 1, width: 36, depth: 24)
    for seed in seeds {
      var engine = IndoorEngine(model: building.model, calibration: IndoorCalibration(isForAll: true), isLearning: false)
      var device = CarriedDevice(seed: seed)
      var estimator = MotionEstimator()
      var last: PlanPoint?
      var stillFor = 0
      for second in building.pausing(seconds: seconds, pause: pause, seed: seed) {
        device.run(second.isStill ? .table : .walking, seconds: 1, into: &estimator)
        let time = device.time
        if hasSensors { engine.motion = estimator.motion(at: time) }
        let sightings = second.packets.map { IndoorSighting(transmitter: $0.transmitter, rssi: $0.rssi, time: time - .milliseconds(500)) }
        stillFor = second.isStill ? stillFor + 1 : 0
        guard let estimate = engine.step(sightings, through: time).last?.estimate else { continue }
        let error = length(estimate.point, second.position)
        if stillFor > 5 {
          still.errors.append(error)
          if error < estimate.accuracy { still.covered += 1 }
          if let last { still.moves.append(length(last, estimate.point)) }
        } else {
          walk.errors.append(error)
          if error < estimate.accuracy { walk.covered += 1 }
          if let last { walk.moves.append(length(last, estimate.point)) }
        }
        last = estimate.point
      }
    }
    return (still, walk)
  }

  private static let isSoak = ProcessInfo.processInfo.environment["BEACONMON_SOAK"] != nil

  /// BEACONMON_SOAK follows six visitors, otherwise two.
  @Test func `a position stays where its device lies, is no less accurate, and follows again when the device is carried on`() throws {
    let seeds: ClosedRange<UInt64> = Self.isSoak ? 1...6 : 1...2
    let without = try Self.outcomes(hasSensors: false, pause: 40, seeds: seeds)
    let with = try Self.outcomes(hasSensors: true, pause: 40, seeds: seeds)
    print("still, without sensors: \(without.still.text); with: \(with.still.text)")
    print("walk, without sensors: \(without.walk.text); with: \(with.walk.text)")
    // An accuracy that is too coarse would take the position away.
    #expect(without.still.errors.count > 300 && with.still.errors.count * 10 >= without.still.errors.count * 9)
    #expect(with.still.wander < without.still.wander / 3)
    #expect(with.still.mean <= without.still.mean)
    #expect(with.walk.mean <= without.walk.mean * 1.03)
    // One standard deviation covers 68 % of the errors.
    #expect((0.6...0.8).contains(with.still.coverage))
    #expect(with.walk.coverage > without.walk.coverage - 0.06)
  }

  /// BEACONMON_SOAK tries 40 places for five minutes each, otherwise six for two minutes.
  @Test func `a device that lies still from the start finds its position as without sensors`() throws {
    let (seeds, seconds): (ClosedRange<UInt64>, Int) = Self.isSoak ? (1...40, 300) : (1...6, 120)
    let without = try Self.outcomes(hasSensors: false, pause: 600, seeds: seeds, seconds: seconds)
    let with = try Self.outcomes(hasSensors: true, pause: 600, seeds: seeds, seconds: seconds)
    print("from the start, without sensors: \(without.still.text); with: \(with.still.text)")
    #expect(with.still.mean <= without.still.mean * 1.1)
    #expect((0.58...0.8).contains(with.still.coverage))
    #expect(with.still.errors.count >= without.still.errors.count)
  }

  @Test func `a device that was carried elsewhere while the machine slept is found as without sensors`() throws {
    let building = try TestBuilding(levels: 1, width: 36, depth: 24)
    /// Returns the errors of the seconds 10 to 30 after a sleep, in which the device was carried to another visitor's place.
    func errors(_ motions: (Int) -> DeviceMotion) -> [Double] {
      (1...6 as ClosedRange<UInt64>).flatMap { seed -> [Double] in
        var engine = IndoorEngine(model: building.model, calibration: IndoorCalibration(isForAll: true), isLearning: false)
        let before = building.pausing(seconds: 60, pause: 60, seed: seed)
        let walk = building.pausing(seconds: 300, pause: 30, seed: seed)
        let after = walk.drop { $0.isStill || $0.position.x > 8 }.drop { !$0.isStill }.prefix(30)
        return (before + after).enumerated().compactMap { index, second in
          let time = Instant(microseconds: Int64(index + 1) * 1_000_000)
          engine.motion = motions(index - before.count)
          let sightings = second.packets.map { IndoorSighting(transmitter: $0.transmitter, rssi: $0.rssi, time: time - .milliseconds(500)) }
          let estimate = engine.step(sightings, through: time).last?.estimate
          return index >= before.count + 10 ? estimate.map { length($0.point, second.position) } : nil
        }
      }
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    let without = errors { _ in .unknown }
    let noticed = errors { (0..<5).contains($0) ? .unknown : DeviceMotion(.still) }
    let unnoticed = errors { _ in DeviceMotion(.still) }
    print("after a sleep, \(without.count) positions without sensors: \(mean(without)) m")
    print("noticed: \(mean(noticed)) m, unnoticed: \(mean(unnoticed)) m")
    #expect(without.count > 30 && noticed.count * 10 >= without.count * 9)
    #expect(mean(noticed) <= mean(without) * 1.1 && mean(unnoticed) > mean(without) * 1.5)
  }

  @Test func `the same sightings and motions give the same output for any batches`() throws {
    let building = try TestBuilding(levels: 1, width: 36, depth: 24)
    var (whole, split) = (IndoorEngine(model: building.model), IndoorEngine(model: building.model))
    let walk = building.pausing(seconds: 60, pause: 10, seed: 2)
    for (index, second) in walk.enumerated() {
      let time = Instant(microseconds: Int64(index + 1) * 1_000_000)
      let motion = second.isStill ? DeviceMotion(.still) : DeviceMotion(.walking, cadence: 1.8)
      let sightings = second.packets.enumerated().map { number, packet in
        IndoorSighting(transmitter: packet.transmitter, rssi: packet.rssi, time: time - .milliseconds(Int64(900 - number * 10)))
      }
      (whole.motion, split.motion) = (motion, motion)
      var outputs: [IndoorOutput] = []
      for sighting in sightings { outputs += split.step([sighting], through: sighting.time) }
      outputs += split.step([], through: time)
      #expect(whole.step(sightings, through: time) == outputs)
    }
  }
}
