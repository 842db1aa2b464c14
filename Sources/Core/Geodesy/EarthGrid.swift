import RealModule

/// A grid of cells over the earth, in rows of equal height, with columns that make cells about as wide as high.
///
/// The grid therefore has no narrow cells near the poles. The columns of a row form a ring, so the antimeridian is a border like any
/// other.
struct EarthGrid: Sendable {
  /// The height in degrees of a band of rows with the same number of columns.
  private static let bandHeight = 1.0

  /// The height of a cell in degrees.
  let cellHeight: Double
  private let rowsPerDegree: Double
  private let lastRow: Int
  private let columns: ContiguousArray<UInt32>

  init(cellHeight: Double) {
    self.cellHeight = cellHeight
    rowsPerDegree = 1 / cellHeight
    lastRow = Int((180 / cellHeight).rounded(.up)) - 1
    columns = ContiguousArray(
      (0..<180).map { band in
        // The column width at the edge nearer to the equator, where the band is widest.
        let edge = min(abs(Double(band) - 90), abs(Double(band) - 89))
        return UInt32(max(1, 360 * Double.cos(edge * .radiansPerDegree) / cellHeight))
      })
  }

  /// Returns the number of the cell that contains a place.
  @inline(__always)
  func cell(latitude: Double, longitude: Double) -> UInt64 {
    let row = row(latitude)
    return Self.key(row, column(longitude, of: columnCount(row)))
  }

  /// Calls `body` with every cell that touches the circle of `radius` degrees of arc, and with some cells next to it.
  func forEachCell(latitude: Double, longitude: Double, radius: Double, _ body: (UInt64) -> Void) {
    let halfWidth = Self.halfWidth(latitude: latitude, radius: radius)
    for row in row(latitude - radius)...row(latitude + radius) {
      let count = columnCount(row)
      guard halfWidth < 180 else {
        for column in 0..<count { body(Self.key(row, column)) }
        continue
      }
      let first = Int(((longitude - halfWidth + 180) / 360 * Double(count)).rounded(.down))
      let last = Int(((longitude + halfWidth + 180) / 360 * Double(count)).rounded(.down))
      guard last - first < Int(count) else {
        for column in 0..<count { body(Self.key(row, column)) }
        continue
      }
      for column in first...last {
        body(Self.key(row, UInt64((column % Int(count) + Int(count)) % Int(count))))
      }
    }
  }

  /// Returns an upper bound for the extent of a circle east and west of its centre; all around if it contains a pole.
  ///
  /// sin Δλ = sin r / cos φ. With x = r / cos φ this gives at most Δλ = x + (π/2 - 1) x³, because sin r ≤ r, and asin x lies below that
  /// for 0 ≤ x ≤ 1.
  private static func halfWidth(latitude: Double, radius: Double) -> Double {
    guard abs(latitude) + radius < 90 else { return 180 }
    let x = radius * .radiansPerDegree / Double.cos(latitude * .radiansPerDegree)
    return x < 1 ? (x + (.pi / 2 - 1) * x * x * x) / .radiansPerDegree : 180
  }

  @inline(__always)
  private func row(_ latitude: Double) -> Int {
    min(max(Int((latitude + 90) * rowsPerDegree), 0), lastRow)
  }

  @inline(__always)
  private func columnCount(_ row: Int) -> UInt64 {
    UInt64(columns[min(Int(Double(row) * cellHeight / Self.bandHeight), 179)])
  }

  @inline(__always)
  private func column(_ longitude: Double, of count: UInt64) -> UInt64 {
    min(UInt64(max(0, (longitude + 180) / 360 * Double(count))), count - 1)
  }

  @inline(__always)
  private static func key(_ row: Int, _ column: UInt64) -> UInt64 { UInt64(row) << 32 | column }
}
