import Headings
import Instants
import RealModule
import Seeds
import SensorSimulation
import Testing

/// A calibrated device in the hand of a walker.
private struct Walker {
  var simulator: SensorSimulator
  var estimator: HeadingEstimator
  /// The simulator has 100 samples a second, of which the estimator gets every n-th.
  var stride = 1

  init(at place: HeadingEstimatorTests.Place, seed: UInt64, stride: Int = 1) throws {
    (simulator, estimator) = try HeadingEstimatorTests.calibrated(at: place, seed: seed, seconds: 30)
    self.stride = stride
    var random = SeededGenerator(seed: seed + 77)
    simulator.lay(heading: .random(in: 0..<360, using: &random), pitch: .random(in: 0...40, using: &random))
    walk(seconds: 5)
  }

  mutating func step() {
    for _ in 1..<stride {
      simulator.walk()
      _ = simulator.sample(jolt: 3)
    }
    simulator.walk()
    simulator.sample(into: &estimator, jolt: 3)
  }

  mutating func walk(seconds: Double) {
    let end = simulator.time.seconds + seconds
    while simulator.time.seconds < end { step() }
  }

  /// Walks until the state is reached, at most for five seconds, and returns the seconds.
  mutating func walk(until state: HeadingEstimator.State) -> Double {
    let begin = simulator.time
    while estimator.state != state, (simulator.time - begin).seconds < 5 { step() }
    return (simulator.time - begin).seconds
  }
}

@Suite struct InterferenceTests {
  /// Directions all over a sphere, and those around the opposite of the earth's field.
  /// A magnet of such a direction can leave the strength of the field as it was.
  static func directions(_ simulator: SensorSimulator, count: Int) -> [SpaceVector] {
    let spread = (0..<count).map { index -> SpaceVector in
      let z = 1 - (2 * Double(index) + 1) / Double(count)
      let (radius, angle) = ((1 - z * z).squareRoot(), Double(index) * 2.399963)
      return [radius * .cos(angle), radius * .sin(angle), z]
    }
    let opposite = SpaceVector(0, -simulator.horizontal, simulator.down) / SpaceVector(0, simulator.horizontal, simulator.down).length
    let around = (0..<12).map { index -> SpaceVector in
      let (tilt, angle) = ((index < 6 ? 25.0 : 50) * .pi / 180, Double(index) * .pi / 3)
      let (first, second) = (SpaceVector(1, 0, 0), SpaceVector(0, simulator.down, simulator.horizontal))
      return opposite * .cos(tilt) + (first * .cos(angle) + second / second.length * .sin(angle)) * .sin(tilt)
    }
    return spread + [opposite] + around
  }

  /// The sensor has 100 or 25 samples a second. BEACONMON_SOAK tries ten times as many directions.
  @Test(.serialized, arguments: HeadingEstimatorTests.places, [1, 4])
  func `a magnet in any direction is flagged within 0.2 s while walking, and forgotten within 2 s`(
    place: HeadingEstimatorTests.Place, stride: Int
  ) throws {
    for seed in 1...2 as ClosedRange<UInt64> {
      var walker = try Walker(at: place, seed: seed, stride: stride)
      #expect(walker.estimator.state == .calibrated)
      for direction in Self.directions(walker.simulator, count: HeadingEstimatorTests.isSoak ? 300 : 30) {
        walker.simulator.localField = direction * 100
        #expect(walker.walk(until: .disturbed) <= 0.2, "\(direction)")
        walker.walk(seconds: 1)
        #expect(walker.simulator.sample(into: &walker.estimator, jolt: 3)?.accuracy == nil)
        walker.simulator.localField = .zero
        #expect(walker.walk(until: .calibrated) <= 2, "\(direction)")
        walker.walk(seconds: 0.5)
      }
    }
  }

  /// Four devices at each place walk for a minute; BEACONMON_SOAK has one walk for a day.
  @Test(.serialized, arguments: HeadingEstimatorTests.places)
  func `a walk in a clean field raises no alarm`(place: HeadingEstimatorTests.Place) throws {
    let isSoak = HeadingEstimatorTests.isSoak
    for seed in (isSoak ? 5...5 : 5...8) as ClosedRange<UInt64> {
      var walker = try Walker(at: place, seed: seed)
      var alarms = 0
      for _ in 0..<(isSoak ? 24 * 60 : 1) * 6000 {
        walker.step()
        if walker.estimator.state != .calibrated { alarms += 1 }
      }
      #expect(alarms == 0, "device \(seed)")
    }
  }

  @Test(.serialized, arguments: HeadingEstimatorTests.places)
  func `a device that is turned in the hand of a walker raises no alarm`(place: HeadingEstimatorTests.Place) throws {
    for seed in 11...13 as ClosedRange<UInt64> {
      var walker = try Walker(at: place, seed: seed)
      var alarms = 0
      for _ in 0..<3000 {
        walker.simulator.tumble()
        walker.simulator.sample(into: &walker.estimator, jolt: 3)
        if walker.estimator.state != .calibrated { alarms += 1 }
      }
      #expect(alarms == 0, "device \(seed)")
    }
  }
}
