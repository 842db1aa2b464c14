import Instants
import RealModule

/// The samples from which a calibration is computed: a few for each direction of the field in the frame of the device.
///
/// The number is bounded, and newer samples replace older ones of the same direction, so that a calibration follows slow changes.
struct CalibrationSamples {
  struct Sample {
    /// µT.
    let field: SpaceVector
    /// Away from the earth; nil without an accelerometer, or while the device accelerates.
    let up: SpaceVector?
  }

  /// Each face of a cube has this many cells in a row.
  private static let cellsInRow = 4
  static let directions = 6 * cellsInRow * cellsInRow
  static let samplesPerDirection = 16
  /// The time over which measurements are averaged while the device hardly turns.
  static let interval = Span.milliseconds(30)
  /// The cosine of the smallest angle between two samples in a row, so that a device that rests adds nothing.
  private static let sameDirection = Double.cos(3 / .degreesPerRadian)

  private var samples: [[Sample]] = Array(repeating: [], count: directions)
  private var next = [Int](repeating: 0, count: directions)
  private var mean = RunningMean()
  private var lastDirection: SpaceVector?
  private(set) var count = 0
  /// Samples added since the last call of `noteFit()`.
  private(set) var added = 0

  var all: [Sample] { samples.flatMap { $0 } }

  /// The share of the directions with a sample, 0...1.
  var coverage: Double { Double(samples.count { !$0.isEmpty }) / Double(Self.directions) }

  /// Whether each direction has a sample: the faces +x, -x, +y, -y, +z, -z, each with four rows of four cells.
  var coveredDirections: [Bool] { samples.map { !$0.isEmpty } }

  /// The middle between the largest and the smallest values of each axis; nil without a sample.
  var center: SpaceVector? {
    let fields = all.map(\.field)
    guard var (low, high) = fields.first.map({ ($0, $0) }) else { return nil }
    for field in fields { (low, high) = (pointwiseMin(low, field), pointwiseMax(high, field)) }
    return (low + high) / 2
  }

  /// Adds a measurement: the field in µT, up if it is known, and the field as the best known calibration corrects it.
  mutating func add(_ field: SpaceVector, up: SpaceVector?, corrected: SpaceVector, at time: Instant) {
    mean.add(field, up: up, corrected: corrected, at: time)
    guard mean.lasts(Self.interval, until: time) else { return }
    defer { mean = RunningMean() }
    guard let (sample, corrected) = mean.result, let direction = corrected.direction,
      let cell = Self.cell(of: direction)
    else { return }
    if let lastDirection, lastDirection.dot(direction) > Self.sameDirection { return }
    lastDirection = direction
    added += 1
    store(sample, in: cell)
  }

  private mutating func store(_ sample: Sample, in cell: Int) {
    if samples[cell].count < Self.samplesPerDirection {
      samples[cell].append(sample)
      count += 1
    } else {
      // A sample of a moving device, without `up`, does not replace one with it.
      guard sample.up != nil || samples[cell][next[cell]].up == nil else { return }
      samples[cell][next[cell]] = sample
    }
    next[cell] = (next[cell] + 1) % Self.samplesPerDirection
  }

  mutating func noteFit() { added = 0 }

  /// Sorts all samples into the cells again, because a new calibration changes their directions.
  mutating func rearrange(by corrected: (SpaceVector) -> SpaceVector) {
    let (old, oldAdded) = (all, added)
    self = CalibrationSamples()
    for sample in old {
      guard let cell = Self.cell(of: corrected(sample.field)), samples[cell].count < Self.samplesPerDirection else { continue }
      store(sample, in: cell)
    }
    added = oldAdded
  }

  /// Returns the cell of a cube's surface that the vector points to.
  static func cell(of vector: SpaceVector) -> Int? {
    guard vector.direction != nil else { return nil }
    let magnitudes = [abs(vector.x), abs(vector.y), abs(vector.z)]
    let axis = magnitudes[0] >= magnitudes[1] ? (magnitudes[0] >= magnitudes[2] ? 0 : 2) : (magnitudes[1] >= magnitudes[2] ? 1 : 2)
    let (first, second) = (vector[(axis + 1) % 3] / magnitudes[axis], vector[(axis + 2) % 3] / magnitudes[axis])
    func position(_ value: Double) -> Int { min(cellsInRow - 1, max(0, Int((value + 1) / 2 * Double(cellsInRow)))) }
    let face = 2 * axis + (vector[axis] < 0 ? 1 : 0)
    return (face * cellsInRow + position(second)) * cellsInRow + position(first)
  }
}

/// The mean of the measurements of a short time.
private struct RunningMean {
  private var field = SpaceVector.zero
  private var up: SpaceVector? = .zero
  private var corrected = SpaceVector.zero
  private var count = 0.0
  private var first: SpaceVector?
  /// The cosine of the largest angle to the first measurement.
  private static let sameDirection = Double.cos(3 / .degreesPerRadian)
  private var begin: Instant?

  /// Adds a measurement, unless the device has turned since the first one, which would make the mean too short.
  /// A single measurement without `up` makes that of the mean unknown.
  mutating func add(_ field: SpaceVector, up: SpaceVector?, corrected: SpaceVector, at time: Instant) {
    if begin == nil { (begin, first) = (time, corrected.direction) }
    guard let first, let direction = corrected.direction, first.dot(direction) > Self.sameDirection else { return }
    self.field += field
    self.corrected += corrected
    if let sum = self.up { self.up = up.map { sum + $0 } }
    count += 1
  }

  /// Returns whether the mean spans the time; a time that went back ends it.
  func lasts(_ span: Span, until time: Instant) -> Bool { begin.map { time - $0 >= span || time < $0 } ?? false }

  var result: (CalibrationSamples.Sample, corrected: SpaceVector)? {
    count == 0 ? nil : (CalibrationSamples.Sample(field: field / count, up: up?.direction), corrected / count)
  }
}

extension MagneticCalibration {
  /// Returns whether the samples deviate from this calibration by at most a fifth more than from another one.
  func explains(_ samples: [CalibrationSamples.Sample], asWellAs other: MagneticCalibration) -> Bool {
    meanSquare(of: samples) <= 1.44 * other.meanSquare(of: samples)
  }

  /// The mean square of the deviations from the strength and from the inclination, as a share of the squared strength.
  private func meanSquare(of samples: [CalibrationSamples.Sample]) -> Double {
    var (sum, count) = (0.0, 0.0)
    for sample in samples {
      let v = corrected(sample.field) / strength
      sum += (v.length - 1) * (v.length - 1)
      count += 1
      guard let up = sample.up, let sine = sineOfInclination else { continue }
      sum += (v.dot(up) + sine) * (v.dot(up) + sine)
      count += 1
    }
    return sum / max(1, count)
  }
}
