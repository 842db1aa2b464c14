public import Headings
public import Instants
import RealModule
import Seeds

/// A simulated device with a magnetometer and an accelerometer, which its user turns in the field of a place.
public struct SensorSimulator {
  /// The field in µT: horizontal and down.
  public var horizontal: Double
  public var down: Double
  public var bias: SpaceVector
  public var softIron: [SpaceVector]
  public var noise = 0.5
  /// m/s²; MEMS accelerometers have 0.01 to 0.03.
  public var accelerationNoise = 0.03
  /// A field in µT that is fixed to the room, in the directions east, north and up.
  public var localField = SpaceVector.zero
  /// The directions east, north and up in the frame of the device.
  public private(set) var axes: [SpaceVector] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
  private var rate = SpaceVector.zero
  private var random: SeededGenerator
  public private(set) var time = Instant(microseconds: 1_000_000)
  public static let interval = Span.milliseconds(10)

  public init(horizontal: Double, down: Double, seed: UInt64) {
    (self.horizontal, self.down) = (horizontal, down)
    var random = SeededGenerator(seed: seed)
    let direction = SpaceVector(random.normal(), random.normal(), random.normal())
    bias = direction / direction.length * 40
    softIron = (0..<3).map { row in
      var vector = SpaceVector((0..<3).map { _ in Double.random(in: -0.1...0.1, using: &random) })
      vector[row] += 1
      return vector
    }
    self.random = random
  }

  /// The magnetic heading of the top edge.
  public var heading: Double {
    let degrees = Double.atan2(y: axes[0].y, x: axes[1].y) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }

  /// Lays the device so that its top points to a heading, with the top and then the right edge raised by degrees.
  public mutating func lay(heading: Double, pitch: Double = 0, roll: Double = 0) {
    axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    // The rotations are those of the room as seen from the device.
    turn([0, 0, -heading * .pi / 180])
    turn([pitch * .pi / 180, 0, 0])
    turn([0, roll * .pi / 180, 0])
    rate = .zero
  }

  /// Turns the device about its own axes by an angle in radians.
  private mutating func turn(_ angle: SpaceVector) {
    let size = angle.length
    guard size > 0 else { return }
    let axis = angle / size
    let (s, c) = (Double.sin(-size), Double.cos(-size))
    for index in 0..<3 {
      let v = axes[index]
      let cross = SpaceVector(axis.y * v.z - axis.z * v.y, axis.z * v.x - axis.x * v.z, axis.x * v.y - axis.y * v.x)
      let along = axis.x * v.x + axis.y * v.y + axis.z * v.z
      axes[index] = v * c + cross * s + axis * (along * (1 - c))
    }
  }

  /// Turns the device at random for one interval, by up to a few radians a second.
  public mutating func tumble() {
    let seconds = Self.interval.seconds
    for axis in 0..<3 { rate[axis] += -rate[axis] * seconds + 3 * seconds.squareRoot() * random.normal() }
    turn(rate * seconds)
  }

  /// Turns the device about the vertical at random and sways it, as a walker does.
  public mutating func walk() {
    let seconds = Self.interval.seconds
    rate.z += -rate.z * seconds + 0.5 * seconds.squareRoot() * random.normal()
    turn([0.3 * .cos(time.seconds * 11) * seconds, 0.3 * .sin(time.seconds * 7) * seconds, rate.z * seconds])
  }

  /// Returns the acceleration and the field of the next sample.
  ///
  /// - Parameter jolt: the amplitude in m/s² with which a walker's steps lift the device; a third of it sways it from side to side.
  public mutating func sample(jolt: Double = 0) -> (acceleration: SpaceVector, field: SpaceVector) {
    time += Self.interval
    var field = axes[1] * (horizontal + localField.y) + axes[0] * localField.x + axes[2] * (localField.z - down)
    field = SpaceVector(softIron.map { $0.x * field.x + $0.y * field.y + $0.z * field.z }) + bias
    for axis in 0..<3 { field[axis] += noise * random.normal() }
    var acceleration = axes[2] * (9.80665 + jolt * .sin(time.seconds * 12)) + axes[0] * (jolt / 3 * .sin(time.seconds * 6))
    for axis in 0..<3 { acceleration[axis] += accelerationNoise * random.normal() }
    return (acceleration, field)
  }

  /// Passes one sample of each sensor to the estimator.
  @discardableResult public mutating func sample(into estimator: inout HeadingEstimator, jolt: Double = 0) -> Heading? {
    let (acceleration, field) = sample(jolt: jolt)
    estimator.take(acceleration: acceleration, at: time)
    return estimator.take(field: field, at: time)
  }

  /// Turns the device in all directions until the estimator is calibrated, at most for a number of seconds.
  /// Returns the seconds.
  public mutating func calibrate(_ estimator: inout HeadingEstimator, atMost seconds: Int = 60) -> Double? {
    let begin = time
    for _ in 0..<seconds * 100 {
      tumble()
      sample(into: &estimator)
      if estimator.calibration != nil { return (time - begin).seconds }
    }
    return nil
  }
}

extension SpaceVector {
  fileprivate init(_ values: [Double]) {
    self.init(values[0], values[1], values[2])
  }
}

extension Instant {
  fileprivate var seconds: Double { Double(microseconds) / 1e6 }
}
