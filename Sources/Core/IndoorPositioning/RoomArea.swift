public import Venues

/// An area of a level as cells.
public struct RoomArea: Hashable, Sendable {
  /// Sixteen rows of bits for each tile, in the order of `tiles`.
  let tiles: [Int32]
  let bits: ContiguousArray<UInt16>

  /// Whether no cell's centre lies within the area.
  public var isEmpty: Bool { tiles.isEmpty }
}

extension RoomModel {
  /// Returns the cells of a level whose centres lie within rings, by the even-odd rule.
  public func area(_ rings: [[PlanPoint]], level ordinal: Int) -> RoomArea {
    guard let level = levels.firstIndex(where: { $0.ordinal == ordinal }) else { return RoomArea(tiles: [], bits: []) }
    var cells = BitGrid(columns: grid.columns, rows: grid.rows)
    cells.fill(rings, in: grid)
    var tiles: [Int32] = []
    var bits: ContiguousArray<UInt16> = []
    for row in 0..<grid.tileRows {
      for column in 0..<grid.tileColumns {
        let lines = (0..<RoomGrid.side).map { cells.bits(column, row: row * RoomGrid.side + $0) }
        if lines.allSatisfy({ $0 == 0 }) { continue }
        tiles.append(Int32((level * grid.tileRows + row) * grid.tileColumns + column))
        bits += lines
      }
    }
    return RoomArea(tiles: tiles, bits: bits)
  }
}

extension RoomModel {
  /// Returns whether a point of a level is in a cell of an area.
  public func contains(_ point: PlanPoint, level ordinal: Int, in area: RoomArea) -> Bool {
    let (column, row) = ((point.x - grid.origin.x) / grid.cell, (point.y - grid.origin.y) / grid.cell)
    guard let level = levels.firstIndex(where: { $0.ordinal == ordinal }), column >= 0, row >= 0, column < Double(grid.columns),
      row < Double(grid.rows)
    else { return false }
    let place = grid.place(column: Int(column), row: Int(row), level: level)
    guard let index = area.tiles.firstIndex(of: Int32(place.tile)) else { return false }
    return area.bits[index * RoomGrid.side + place.cell / RoomGrid.side] >> UInt16(place.cell % RoomGrid.side) & 1 == 1
  }
}
