import RealModule

/// A net of cells over the earth: rows of one height, each with as many columns as make its cells about as wide as high.
///
/// So it has no narrow cells near the poles, and the columns of a row close to a ring: the antimeridian is a border like any other.
struct EarthGrid: Sendable {
  /// Bands of rows share a number of columns; each is so many degrees high.
  private static let bandHeight = 1.0

  /// Degrees.
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
        // As wide as at the edge nearer to the equator, where they are most.
        let edge = min(abs(Double(band) - 90), abs(Double(band) - 89))
        return UInt32(max(1, 360 * Double.cos(edge * .radiansPerDegree) / cellHeight))
      })
  }

  /// A number for the cell of a place.
  @inline(__always)
  func cell(latitude: Double, longitude: Double) -> UInt64 {
    let row = row(latitude)
    return Self.key(row, column(longitude, of: columnCount(row)))
  }

  /// Calls with every cell that touches the circle of `radius` degrees of arc. Some cells beside it are among them.
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

  /// How far a circle reaches east and west of its centre, or a little more; all around where it holds a pole.
  ///
  /// sin Δλ = sin r / cos φ, and with x = r / cos φ that is at most Δλ = x + (π/2 - 1) x³: sin r ≤ r, and asin x lies below that for 0 ≤ x ≤ 1.
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
