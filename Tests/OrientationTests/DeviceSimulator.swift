import Headings
import Instants
import RealModule
import Seeds

/// A device with a magnetometer and an accelerometer that a test turns in the field of a place.
struct DeviceSimulator {
  /// The field in µT: horizontal and down.
  let horizontal: Double
  let down: Double
  var bias: SpaceVector
  var softIron: [SpaceVector]
  var noise = 0.5
  /// m/s²; MEMS accelerometers have 0.01 to 0.03.
  var accelerationNoise = 0.03
  /// A field in µT that is fixed to the room, in the directions east, north and up.
  var localField = SpaceVector.zero
  /// The directions east, north and up in the frame of the device.
  private(set) var axes: [SpaceVector] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
  private var rate = SpaceVector.zero
  private var random: SeededGenerator
  static let interval = Span.milliseconds(10)

  init(horizontal: Double, down: Double, seed: UInt64) {
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
  var heading: Double {
    let degrees = Double.atan2(y: axes[0].y, x: axes[1].y) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }

  /// Lays the device so that its top points to a heading, with the top and then the right edge raised by degrees.
  mutating func lay(heading: Double, pitch: Double = 0, roll: Double = 0) {
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
  mutating func tumble() {
    let seconds = Self.interval.seconds
    for axis in 0..<3 { rate[axis] += -rate[axis] * seconds + 3 * seconds.squareRoot() * random.normal() }
    turn(rate * seconds)
  }

  /// Returns the acceleration and the field of the next sample.
  mutating func sample() -> (acceleration: SpaceVector, field: SpaceVector) {
    var field = axes[1] * (horizontal + localField.y) + axes[0] * localField.x + axes[2] * (localField.z - down)
    field = SpaceVector(softIron.map { $0.x * field.x + $0.y * field.y + $0.z * field.z }) + bias
    for axis in 0..<3 { field[axis] += noise * random.normal() }
    var acceleration = axes[2] * 9.80665
    for axis in 0..<3 { acceleration[axis] += accelerationNoise * random.normal() }
    return (acceleration, field)
  }
}

extension SpaceVector {
  init(_ values: [Double]) {
    self.init(values[0], values[1], values[2])
  }
}

extension SeededGenerator {
  /// Returns a number of the standard normal distribution (Box and Muller).
  mutating func normal() -> Double {
    let radius = (-2 * Double.log(1 - .random(in: 0..<1, using: &self))).squareRoot()
    return radius * .cos(2 * .pi * .random(in: 0..<1, using: &self))
  }
}
