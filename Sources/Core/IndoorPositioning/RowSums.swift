/// Sums over a tile.
enum RowSums {
  /// Returns the sum of a tile's cells. Sixteen sums in parallel become vector instructions, and their order is fixed.
  static func total(_ cells: UnsafePointer<Float>) -> Double {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: RoomGrid.side) { sums in
      guard let sums = sums.baseAddress else { return 0 }
      sums.initialize(repeating: 0, count: RoomGrid.side)
      var row = 0
      while row < RoomGrid.side {
        let line = cells + row * RoomGrid.side
        var i = 0
        while i < RoomGrid.side {
          sums[i] += line[i]
          i &+= 1
        }
        row &+= 1
      }
      return total(ofRow: sums)
    }
  }

  @inline(__always)
  static func total(ofRow sums: UnsafePointer<Float>) -> Double {
    var total = 0.0
    var i = 0
    while i < RoomGrid.side {
      total += Double(sums[i])
      i &+= 1
    }
    return total
  }
}
