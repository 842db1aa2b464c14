import Venues

/// The cells of all levels in tiles of 16 × 16.
///
/// All levels have one frame, so a cell lies above the cell with the same numbers on the level below.
struct RoomGrid: Hashable, Sendable {
  /// The number of cells along a side of a tile.
  static let side = 16
  static let area = side * side
  /// The maximum number of cells of all levels together.
  static let mostCells = 1_000_000
  /// The weight of a cell that visitors cannot walk in.
  ///
  /// It is not zero: in 17 % of the time on a gallery walk the true position lies in such a cell of that gallery's map.
  static let blockedWeight: Float = 0.2

  /// The length of a cell's side in metres.
  let cell: Double
  /// The lower left corner.
  let origin: PlanPoint
  let columns, rows: Int
  let tileColumns, tileRows: Int
  /// The number of levels.
  let levels: Int
  /// The masks of each tile: a number in `masks`, or `empty` or `full`.
  private(set) var tiles: ContiguousArray<Int32> = []
  /// Sixteen rows for each tile that is neither empty nor full: bits of cells inside, and above them bits of walkable cells.
  private(set) var masks: ContiguousArray<UInt32> = []
  /// The sum of the weights of each tile's cells.
  private(set) var weights: ContiguousArray<Float> = []

  static let empty: Int32 = -2
  static let full: Int32 = -1

  init(cell: Double, from low: PlanPoint, to high: PlanPoint, levels: Int) {
    self.cell = cell
    origin = low
    columns = Self.count(from: low.x, to: high.x, cell)
    rows = Self.count(from: low.y, to: high.y, cell)
    tileColumns = (columns + Self.side - 1) / Self.side
    tileRows = (rows + Self.side - 1) / Self.side
    self.levels = levels
    tiles.reserveCapacity(levels * tilesPerLevel)
    weights.reserveCapacity(levels * tilesPerLevel)
  }

  /// Returns the number of cells whose centres lie within a span.
  static func count(from low: Double, to high: Double, _ cell: Double) -> Int {
    max(1, Int(((high - low) / cell - 0.5).rounded(.up)))
  }

  var tilesPerLevel: Int { tileColumns * tileRows }
  var tileCount: Int { levels * tilesPerLevel }

  func level(of tile: Int) -> Int { tile / tilesPerLevel }
  func tileColumn(of tile: Int) -> Int { tile % tileColumns }
  func tileRow(of tile: Int) -> Int { tile % tilesPerLevel / tileColumns }

  /// Returns the coordinate of the centre of a column of cells.
  func x(of column: Int) -> Double { origin.x + (Double(column) + 0.5) * cell }
  func y(of row: Int) -> Double { origin.y + (Double(row) + 0.5) * cell }

  /// Returns the tile and the cell within it at a point of the level, or nil outside the frame.
  func place(of point: PlanPoint, level: Int) -> (tile: Int, cell: Int)? {
    let (column, row) = ((point.x - origin.x) / cell, (point.y - origin.y) / cell)
    guard column >= 0, row >= 0, column < Double(columns), row < Double(rows) else { return nil }
    return place(column: Int(column), row: Int(row), level: level)
  }

  func place(column: Int, row: Int, level: Int) -> (tile: Int, cell: Int) {
    let tile = (level * tileRows + row / Self.side) * tileColumns + column / Self.side
    return (tile, row % Self.side * Self.side + column % Self.side)
  }

  /// Returns the bits of the row: cells inside, and above them walkable cells.
  @inline(__always)
  func mask(tile: Int, row: Int) -> UInt32 {
    switch tiles[tile] {
    case Self.empty: 0
    case Self.full: .max
    case let number: masks[Int(number) * Self.side + row]
    }
  }

  /// Returns the rows of a tile that lie in the frame.
  func rows(of tile: Int) -> Range<Int> { 0..<min(Self.side, rows - tileRow(of: tile) * Self.side) }

  func isEmpty(_ tile: Int) -> Bool { tiles[tile] == Self.empty }

  /// Appends the tiles of the next level.
  ///
  /// - Parameters:
  ///   - inside: whether each cell of the level is inside, by rows.
  ///   - walkable: whether visitors can walk in it.
  mutating func append(inside: BitGrid, walkable: BitGrid) {
    for tileRow in 0..<tileRows {
      for tileColumn in 0..<tileColumns {
        var lines: [UInt32] = []
        var weight: Float = 0
        for line in 0..<Self.side {
          let row = tileRow * Self.side + line
          let (a, b) = (inside.bits(tileColumn, row: row), walkable.bits(tileColumn, row: row))
          let both = a & b
          lines.append(UInt32(a) | UInt32(both) << 16)
          weight += Float(both.nonzeroBitCount) + Self.blockedWeight * Float((a & ~both).nonzeroBitCount)
        }
        weights.append(weight)
        if lines.allSatisfy({ $0 == 0 }) {
          tiles.append(Self.empty)
        } else if lines.allSatisfy({ $0 == .max }) {
          tiles.append(Self.full)
        } else {
          tiles.append(Int32(masks.count / Self.side))
          masks += lines
        }
      }
    }
  }
}

/// One bit for each cell of a level, in words of a tile's width.
struct BitGrid: Hashable, Sendable {
  let columns, rows: Int
  private let words: Int
  private var storage: ContiguousArray<UInt16>

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    words = (columns + RoomGrid.side - 1) / RoomGrid.side
    storage = ContiguousArray(repeating: 0, count: words * rows)
  }

  /// Returns the bits of a tile's row; zero beyond the grid.
  func bits(_ word: Int, row: Int) -> UInt16 { row < rows ? storage[row * words + word] : 0 }

  subscript(column: Int, row: Int) -> Bool {
    get { storage[row * words + column >> 4] & (1 << UInt16(column & 15)) != 0 }
    set {
      let bit: UInt16 = 1 << UInt16(column & 15)
      if newValue { storage[row * words + column >> 4] |= bit } else { storage[row * words + column >> 4] &= ~bit }
    }
  }

  /// Sets a span of columns of a row.
  mutating func set(_ columns: Range<Int>, row: Int, to value: Bool) {
    for column in columns { self[column, row] = value }
  }

  mutating func setAll() {
    for row in 0..<rows { set(0..<columns, row: row, to: true) }
  }

  mutating func subtract(_ other: BitGrid) {
    for index in storage.indices { storage[index] &= ~other.storage[index] }
  }

  var isEmpty: Bool { storage.allSatisfy { $0 == 0 } }

  /// Sets the cells whose centres lie within rings, by the even-odd rule.
  mutating func fill(_ rings: [[PlanPoint]], in grid: RoomGrid) {
    for row in 0..<rows {
      let y = grid.y(of: row)
      var crossings: [Double] = []
      for ring in rings {
        guard var a = ring.last else { continue }
        for b in ring {
          // Half open, so that a corner on the line counts once.
          if (a.y <= y) != (b.y <= y) { crossings.append(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)) }
          a = b
        }
      }
      crossings.sort()
      for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
        let (first, last) = (column(after: crossings[pair], grid), column(after: crossings[pair + 1], grid))
        if first < last { set(first..<last, row: row, to: true) }
      }
    }
  }

  /// Returns the first column whose centre is not to the left of `x`.
  private func column(after x: Double, _ grid: RoomGrid) -> Int {
    let column = ((x - grid.origin.x) / grid.cell - 0.5).rounded(.up)
    return Int(min(max(column, 0), Double(columns)))
  }
}
