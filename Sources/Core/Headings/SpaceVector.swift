import RealModule

/// A vector in the frame of the device: x to the right of the screen, y to its top, z out of it towards the viewer.
public typealias SpaceVector = SIMD3<Double>

extension SIMD3<Double> {
  public func dot(_ other: SIMD3<Double>) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The length of the vector.
  public var length: Double { dot(self).squareRoot() }

  /// The vector with length 1; nil for a vector without a direction.
  public var direction: SIMD3<Double>? {
    let length = length
    guard length > 1e-12, length.isFinite else { return nil }
    return self / length
  }

  public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

/// Three rows that turn and scale vectors.
public struct SpaceMatrix: Hashable, Sendable {
  public var rows: [SpaceVector]

  public static let identity = SpaceMatrix(rows: [[1, 0, 0], [0, 1, 0], [0, 0, 1]])

  /// `rows` must be three.
  init(rows: [SpaceVector]) {
    precondition(rows.count == 3)
    self.rows = rows
  }

  /// Returns nil unless there are nine finite numbers, row by row, of a matrix that is invertible.
  public init?(rowMajor numbers: [Double]) {
    guard numbers.count == 9, numbers.allSatisfy(\.isFinite) else { return nil }
    rows = (0..<3).map { SpaceVector(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) }
    let lengths = rows.map(\.length).reduce(1, *)
    guard lengths > 0, abs(determinant) > 1e-6 * lengths else { return nil }
  }

  /// The nine numbers row by row.
  public var rowMajor: [Double] { rows.flatMap { [$0.x, $0.y, $0.z] } }

  public var determinant: Double { rows[0].dot(rows[1].cross(rows[2])) }

  public static func * (matrix: SpaceMatrix, vector: SpaceVector) -> SpaceVector {
    SpaceVector(matrix.rows[0].dot(vector), matrix.rows[1].dot(vector), matrix.rows[2].dot(vector))
  }

  /// Returns the vector whose product with the matrix is `vector`. The matrix must be invertible.
  func solved(for vector: SpaceVector) -> SpaceVector {
    let columns = [rows[1].cross(rows[2]), rows[2].cross(rows[0]), rows[0].cross(rows[1])]
    return (columns[0] * vector.x + columns[1] * vector.y + columns[2] * vector.z) / determinant
  }

  /// Returns the product of the transposed matrix and a vector.
  func transposedTimes(_ vector: SpaceVector) -> SpaceVector { rows[0] * vector.x + rows[1] * vector.y + rows[2] * vector.z }
}

extension Double {
  static let degreesPerRadian = 180 / Double.pi

  /// The angle in degrees, 0..<360.
  public var normalizedHeading: Double {
    let reduced = truncatingRemainder(dividingBy: 360)
    let positive = reduced < 0 ? reduced + 360 : reduced
    return positive >= 360 ? 0 : positive
  }

  /// Returns the shortest turn from one heading to another in degrees, -180...180.
  static func turn(from start: Double, to end: Double) -> Double { (end - start).remainder(dividingBy: 360) }
}
