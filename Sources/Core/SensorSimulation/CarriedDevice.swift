import Headings
public import Instants
public import Motion
import RealModule
import Seeds

/// The accelerometer and the gyroscope of a device in the pocket of a simulated walker, or elsewhere.
public struct CarriedDevice {
  public enum Carriage: Sendable { case walking, table, handling, car }

  private static let interval = Span.milliseconds(40)
  public private(set) var time = Instant(microseconds: 1_000_000)
  /// The steps that the walker has really taken.
  public private(set) var steps = 0.0
  private var random: SeededGenerator
  private let tilt: SpaceVector
  private let noise: Double
  private var vibration = SpaceVector.zero
  private var cadence: Double
  private let strength: Double

  /// - Parameters:
  ///   - cadence: steps a second; walkers have 1.4 to 2.5, runners up to 3.
  ///   - strength: the amplitude in m/s² of the lift of each step: 1.2 for a slow walk, 3 for a fast one.
  public init(cadence: Double = 1.9, strength: Double = 2, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let direction = SpaceVector(random.normal(), random.normal(), random.normal())
    tilt = direction / direction.length
    noise = Double.random(in: 0.01...0.05, using: &random)
    (self.cadence, self.strength, self.random) = (cadence, strength, random)
  }

  /// Passes the samples of some seconds to the estimator.
  ///
  /// - Parameters:
  ///   - carriage: where the device is.
  ///   - seconds: the time.
  ///   - turn: degrees a second clockwise as seen from above, which a gyroscope measures; nil for a device without one.
  ///   - estimator: takes the samples.
  public mutating func run(_ carriage: Carriage, seconds: Double, turn: Double? = nil, into estimator: inout MotionEstimator) {
    let end = time + .seconds(seconds)
    while time < end {
      let elapsed = Self.interval.seconds
      time += Self.interval
      var up = tilt
      var acceleration = 9.80665
      var sway = SpaceVector.zero
      switch carriage {
      case .walking:
        // The pace varies by some percent from step to step.
        steps += elapsed * cadence * (1 + 0.05 * random.normal())
        let phase = 2 * .pi * steps
        acceleration += strength * (.sin(phase) + 0.4 * .sin(2 * phase + 1) + 0.2 * .sin(3 * phase + 2))
        sway = SpaceVector(0.3, -0.2, 0.25) * strength * .sin(phase / 2)
      case .table: break
      case .handling:
        let seconds = Double(time.microseconds) / 1e6
        up = tilt + SpaceVector(.sin(seconds * 0.7), .cos(seconds * 0.9), .sin(seconds * 1.3)) * 0.5
        up /= up.length
        if Double.random(in: 0..<1, using: &random) < 0.01 { acceleration += 4 }
      case .car:
        vibration += (-vibration * 0.5 + SpaceVector(random.normal(), random.normal(), random.normal()) * 0.35)
        if Double.random(in: 0..<1, using: &random) < 0.004 { vibration += tilt * 4 }
      }
      var sample = up * acceleration + sway + (carriage == .car ? vibration : .zero)
      for axis in 0..<3 { sample[axis] += noise * random.normal() }
      estimator.take(acceleration: sample, at: time)
      if let turn { estimator.take(rotation: up * (-turn * .pi / 180), at: time) }
    }
  }
}
