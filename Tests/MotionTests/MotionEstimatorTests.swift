import Headings
import Instants
import Motion
import RealModule
import Seeds
import SensorSimulation
import Testing

@Suite struct MotionEstimatorTests {
  @Test(arguments: [(1.4, 1.2), (1.7, 1.5), (1.9, 2), (2.2, 3), (2.8, 6)])
  func `the steps of a walker are counted within five of a hundred, however the device is held`(cadence: Double, strength: Double) {
    for seed in 1...20 as ClosedRange<UInt64> {
      var device = CarriedDevice(cadence: cadence, strength: strength, seed: seed)
      var estimator = MotionEstimator()
      device.run(.walking, seconds: 120, into: &estimator)
      let error = (Double(estimator.steps) - device.steps) / device.steps
      #expect(abs(error) <= 0.05, "\(estimator.steps) of \(device.steps) steps, seed \(seed)")
      let motion = estimator.motion(at: device.time)
      #expect(motion.activity == .walking)
      #expect(abs((motion.cadence ?? 0) / cadence - 1) < 0.15, "\(motion)")
    }
  }

  @Test(arguments: [(CarriedDevice.Carriage.table, 0.0), (.handling, 30), (.car, 30)])
  func `a device that is not carried by a walker takes hardly any steps`(carriage: CarriedDevice.Carriage, most: Double) {
    var total = 0.0
    for seed in 1...20 as ClosedRange<UInt64> {
      var device = CarriedDevice(seed: seed)
      var estimator = MotionEstimator()
      device.run(carriage, seconds: 300, into: &estimator)
      total += Double(estimator.steps)
    }
    print("\(carriage): \(total / 100) steps a minute")
    #expect(total / 100 <= most)
  }

  /// Returns the magnitude of a peak of an acceleration at a time after it.
  private func peak(_ strength: Double, _ seconds: Double) -> Double { strength * .exp(-seconds * seconds / 0.0032) }

  @Test func `the push of the foot after the strike of the heel is not a step and does not change the pace`() {
    var estimator = MotionEstimator()
    var time = Instant(microseconds: 0)
    let (interval, seconds) = (0.55, 60.0)
    for sample in 0..<Int(seconds * 25) {
      let phase = (Double(sample) * 0.04).truncatingRemainder(dividingBy: interval)
      let magnitude = 9.8 + peak(12, phase) + peak(12, phase - interval) + peak(12, phase - 0.2)
      time = Instant(microseconds: Int64(sample) * 40_000)
      estimator.take(acceleration: [0, 0, magnitude], at: time)
    }
    let motion = estimator.motion(at: time)
    #expect(abs((motion.cadence ?? 0) - 1 / interval) < 0.1, "\(motion)")
    #expect(abs(Double(estimator.steps) - seconds / interval) <= 6, "\(estimator.steps) steps")
  }

  @Test(arguments: [4.4, 5, 6])
  func `a vibration ends a walk and does not count as one`(frequency: Double) {
    var device = CarriedDevice(seed: 7)
    var estimator = MotionEstimator()
    device.run(.walking, seconds: 20, into: &estimator)
    #expect(estimator.motion(at: device.time).activity == .walking)
    let steps = estimator.steps
    var time = device.time
    for sample in 1...250 {
      time = device.time + .milliseconds(Int64(sample * 40))
      let magnitude = 9.8 + 12 * Double.sin(2 * .pi * frequency * Double(sample) * 0.04)
      estimator.take(acceleration: [0, 0, magnitude], at: time)
    }
    #expect(estimator.motion(at: time).activity == .moving && estimator.steps <= steps + 2, "\(estimator.steps - steps) more steps")
  }

  @Test func `a device on a table is still after a few seconds, and not once it is picked up`() {
    var device = CarriedDevice(seed: 1)
    var estimator = MotionEstimator()
    #expect(estimator.motion(at: device.time) == .unknown)
    device.run(.table, seconds: 2, into: &estimator)
    #expect(estimator.motion(at: device.time).activity == .unknown)
    device.run(.table, seconds: 3, into: &estimator)
    #expect(estimator.motion(at: device.time).activity == .still)
    device.run(.handling, seconds: 1, into: &estimator)
    #expect(estimator.motion(at: device.time).activity == .moving)
    device.run(.walking, seconds: 5, into: &estimator)
    #expect(estimator.motion(at: device.time).activity == .walking)
    device.run(.table, seconds: 6, into: &estimator)
    #expect(estimator.motion(at: device.time).activity == .still)
  }

  @Test func `a motion without new samples is unknown`() {
    var device = CarriedDevice(seed: 2)
    for carriage in [CarriedDevice.Carriage.table, .walking] {
      var estimator = MotionEstimator()
      device.run(carriage, seconds: 10, into: &estimator)
      #expect(estimator.motion(at: device.time).activity != .unknown)
      #expect(estimator.motion(at: device.time + .seconds(4)).activity == .unknown)
    }
  }

  @Test func `five samples a second are enough for rest`() {
    var random = SeededGenerator(seed: 3)
    var estimator = MotionEstimator()
    var time = Instant(microseconds: 0)
    for _ in 0..<30 {
      time += .milliseconds(200)
      estimator.take(acceleration: [0.02 * random.normal(), 0, 9.8 + 0.02 * random.normal()], at: time)
    }
    #expect(estimator.motion(at: time).activity == .still)
  }

  @Test(arguments: [30.0, -15])
  func `a gyroscope shows how far and which way the device turns, however it is held`(rate: Double) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      var device = CarriedDevice(seed: seed)
      var estimator = MotionEstimator()
      device.run(.table, seconds: 6, turn: rate, into: &estimator)
      let turn = try #require(estimator.motion(at: device.time).turn)
      #expect(abs(turn - rate) < 2, "\(turn)")
    }
  }

  @Test func `an accelerometer without gravity shows no rest`() {
    for acceleration: SpaceVector in [.zero, [0, 0, 1], [0, 0, 30]] {
      var estimator = MotionEstimator()
      for sample in 0..<200 { estimator.take(acceleration: acceleration, at: Instant(microseconds: Int64(sample) * 40_000)) }
      #expect(estimator.motion(at: Instant(microseconds: 200 * 40_000)).activity == .unknown)
    }
  }

  @Test func `a gyroscope with an offset finds rest after some minutes, and turns afterwards`() {
    var estimator = MotionEstimator()
    var time = Instant(microseconds: 0)
    func run(_ seconds: Int, turning rate: Double) {
      for _ in 0..<25 * seconds {
        time = time + .milliseconds(40)
        estimator.take(acceleration: [0, 0, 9.8], at: time)
        estimator.take(rotation: [0.25, -0.2, 0.15 + rate], at: time)
      }
    }
    run(30, turning: 0)
    #expect(estimator.motion(at: time).activity == .moving)
    run(300, turning: 0)
    #expect(estimator.motion(at: time).activity == .still)
    #expect(abs(estimator.motion(at: time).turn ?? .infinity) < 2)
    run(2, turning: 0.5)
    #expect(estimator.motion(at: time).activity == .moving)
  }

  @Test func `a smooth ride through a bend is not rest`() {
    var device = CarriedDevice(seed: 4)
    var estimator = MotionEstimator()
    device.run(.table, seconds: 10, turn: 11, into: &estimator)
    #expect(estimator.motion(at: device.time).activity == .moving)
    device.run(.table, seconds: 10, turn: 1, into: &estimator)
    #expect(estimator.motion(at: device.time).activity == .still)
  }

  @Test func `headings show turns where there is no gyroscope, across north as well`() throws {
    var device = CarriedDevice(seed: 5)
    var estimator = MotionEstimator()
    var heading = 340.0
    for second in 0..<20 {
      device.run(.table, seconds: 1, into: &estimator)
      if second >= 10 { heading = (heading + 8).truncatingRemainder(dividingBy: 360) }
      estimator.take(heading: heading, accuracy: 2, at: device.time)
      let motion = estimator.motion(at: device.time)
      if second == 9 { #expect(motion.activity == .still) }
      if second == 14 { #expect(abs((motion.turn ?? 0) - 8) < 0.01) }
    }
    #expect(estimator.motion(at: device.time).activity == .moving)
  }

  @Test func `samples that are not numbers are refused and counted, and time may go back`() {
    var device = CarriedDevice(seed: 6)
    var estimator = MotionEstimator()
    device.run(.walking, seconds: 20, into: &estimator)
    let steps = estimator.steps
    estimator.take(acceleration: [.nan, 0, 9.8], at: device.time)
    estimator.take(acceleration: [0, 1e9, 0], at: device.time)
    estimator.take(rotation: [.infinity, 0, 0], at: device.time)
    estimator.take(heading: .nan, accuracy: 1, at: device.time)
    #expect(estimator.refused == 3)
    var time = Instant(microseconds: 0)
    for _ in 0..<200 {
      time += .milliseconds(40)
      estimator.take(acceleration: [0, 0, 9.8], at: time)
    }
    #expect(estimator.motion(at: time).activity == .still)
    #expect(estimator.steps == steps)
  }
}
