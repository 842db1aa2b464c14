import Motion
import RealModule

/// The spreads of a position in one second, by the motion of the receiver.
struct MotionKernels: Sendable {
  /// The steps per second above which a walker is in a hurry.
  private static let hurry = 2.2
  /// The standard deviation in metres of a receiver that is still, because a lift or a moving walkway may carry it.
  static let stillStep = 0.3
  /// The factor of the standard deviation for a walker in a hurry.
  private static let hurryFactor = 1.5

  private let still, usual, fast: MotionKernel

  init(_ grid: RoomGrid, hasSurvey: Bool) {
    let step = hasSurvey ? MotionKernel.surveyStep : MotionKernel.step
    still = MotionKernel(grid, step: Self.stillStep)
    usual = MotionKernel(grid, step: step)
    fast = MotionKernel(grid, step: step * Self.hurryFactor)
  }

  subscript(motion: DeviceMotion) -> MotionKernel {
    switch motion.activity {
    case .still: still
    case .walking: motion.cadence ?? 0 > Self.hurry ? fast : usual
    case .unknown, .moving: usual
    }
  }
}

/// The spread of a visitor's position within one second.
///
/// It is a normal distribution on either axis, which walls at the frame reflect.
struct MotionKernel: Sendable {
  /// The standard deviation in metres after one second.
  static let step = 1.2
  /// The standard deviation with a survey, whose levels hold a position better.
  static let surveyStep = 1.0
  /// The multiple of the standard deviation at which the distribution ends.
  private static let reach = 4.0

  /// The weights by the distance in cells, from zero on. Their number is odd.
  private let weights: ContiguousArray<Float>
  /// The inverse of the share of a cell's probability that stays within the frame, by column and by row.
  ///
  /// Zero beyond the frame.
  private let columns, rows: ContiguousArray<Float>

  init(_ grid: RoomGrid, step: Double) {
    let deviation = step / grid.cell
    // A tile's probability reaches no further than the next tile.
    let reach = min(RoomGrid.side, Int((Self.reach * deviation / 2).rounded(.up)) * 2)
    let raw = (0...reach).map { Double.exp(-0.5 * Double($0 * $0) / (deviation * deviation)) }
    let total = raw[0] + 2 * raw.dropFirst().reduce(0, +)
    weights = ContiguousArray(raw.map { Float($0 / total) })
    func inverse(_ count: Int, _ tiles: Int) -> ContiguousArray<Float> {
      ContiguousArray(
        (0..<tiles * RoomGrid.side).map { from in
          if from >= count { return 0 }
          let sum = (max(0, from - reach)...min(count - 1, from + reach)).reduce(0.0) { $0 + raw[abs($1 - from)] }
          return Float(total / sum)
        })
    }
    columns = inverse(grid.columns, grid.tileColumns)
    rows = inverse(grid.rows, grid.tileRows)
  }

  /// Spreads the cells of tiles to target tiles, multiplies them by the weights of the cells, and returns the total.
  ///
  /// Each target tile is stretched along columns and then along rows. Tiles are transposed in between, so that both are sums of whole rows.
  ///
  /// - Parameters:
  ///   - slots: the place of each tile in `cells`, or -1.
  ///   - targetSlots: the place of each target tile in `output` and `scratch`, or -1.
  ///   - masses: the sums of the target tiles.
  func spread(
    _ cells: ContiguousArray<Float>, _ slots: ContiguousArray<Int32>, to output: inout ContiguousArray<Float>,
    _ targets: ContiguousArray<Int32>, _ targetSlots: ContiguousArray<Int32>, via scratch: inout ContiguousArray<Float>, _ grid: RoomGrid,
    _ masses: inout ContiguousArray<Double>
  ) -> Double {
    masses = ContiguousArray(repeating: 0, count: targets.count)
    var total = 0.0
    let area = RoomGrid.area
    var strip = ContiguousArray<Float>(repeating: 0, count: 4 * area)
    cells.withUnsafeBufferPointer { cells in
      output.withUnsafeMutableBufferPointer { output in
        scratch.withUnsafeMutableBufferPointer { scratch in
          strip.withUnsafeMutableBufferPointer { strip in
            guard let cells = cells.baseAddress, let output = output.baseAddress, let scratch = scratch.baseAddress,
              let strip = strip.baseAddress
            else { return }
            for (index, tile) in targets.enumerated() {
              let slot = Int(slots[Int(tile)])
              let target = output + index * area
              if slot < 0 { target.update(repeating: 0, count: area) } else { prepare(cells + slot * area, Int(tile), grid, to: target) }
            }
            for (index, tile) in targets.enumerated() {
              let column = grid.tileColumn(of: Int(tile))
              Self.collect(output, targetSlots, column > 0, Int(tile), column + 1 < grid.tileColumns, 1, to: strip)
              let count = min(RoomGrid.side, grid.columns - column * RoomGrid.side)
              convolve(strip + area, to: strip + 3 * area, count: count * RoomGrid.side)
              Self.transpose(strip + 3 * area, to: scratch + index * area, columns: count)
            }
            for (index, tile) in targets.enumerated() {
              let row = grid.tileRow(of: Int(tile))
              Self.collect(scratch, targetSlots, row > 0, Int(tile), row + 1 < grid.tileRows, grid.tileColumns, to: strip)
              let count = min(RoomGrid.side, grid.rows - row * RoomGrid.side)
              let target = output + index * area
              convolve(strip + area, to: target, count: count * RoomGrid.side)
              target.advanced(by: count * RoomGrid.side).update(repeating: 0, count: area - count * RoomGrid.side)
              Self.weigh(target, Int(tile), grid)
              masses[index] = RowSums.total(target)
              total += masses[index]
            }
          }
        }
      }
    }
    return total
  }

  /// Writes a tile with columns as rows, in which each cell is multiplied by its inverses.
  private func prepare(_ cells: UnsafePointer<Float>, _ tile: Int, _ grid: RoomGrid, to target: UnsafeMutablePointer<Float>) {
    let side = RoomGrid.side
    let (column, row) = (grid.tileColumn(of: tile) * side, grid.tileRow(of: tile) * side)
    columns.withUnsafeBufferPointer { columns in
      rows.withUnsafeBufferPointer { rows in
        guard let columns = columns.baseAddress, let rows = rows.baseAddress else { return }
        var i = 0
        while i < side {
          let factor = columns[column &+ i]
          let line = target + i * side
          var k = 0
          while k < side {
            line[k] = cells[k &* side &+ i] * factor * rows[row &+ k]
            k &+= 1
          }
          i &+= 1
        }
      }
    }
  }

  /// Copies a tile and its neighbours into one strip; missing tiles are zero.
  private static func collect(
    _ tiles: UnsafePointer<Float>, _ slots: ContiguousArray<Int32>, _ hasBefore: Bool, _ tile: Int, _ hasAfter: Bool, _ stride: Int,
    to strip: UnsafeMutablePointer<Float>
  ) {
    let area = RoomGrid.area
    func copy(_ slot: Int, _ part: Int) {
      if slot < 0 {
        (strip + part * area).update(repeating: 0, count: area)
      } else {
        (strip + part * area).update(from: tiles + slot * area, count: area)
      }
    }
    copy(hasBefore ? Int(slots[tile - stride]) : -1, 0)
    copy(Int(slots[tile]), 1)
    copy(hasAfter ? Int(slots[tile + stride]) : -1, 2)
  }

  /// Writes a tile with rows as columns. The columns from `columns` on are zero.
  private static func transpose(_ cells: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, columns: Int) {
    let side = RoomGrid.side
    var row = 0
    while row < side {
      let line = target + row * side
      var i = 0
      while i < columns {
        line[i] = cells[i &* side &+ row]
        i &+= 1
      }
      while i < side {
        line[i] = 0
        i &+= 1
      }
      row &+= 1
    }
  }

  /// Multiplies the cells by their weights.
  private static func weigh(_ cells: UnsafeMutablePointer<Float>, _ tile: Int, _ grid: RoomGrid) {
    if grid.tiles[tile] == RoomGrid.full { return }
    let blocked = RoomGrid.blockedWeight
    var row = 0
    while row < RoomGrid.side {
      let line = cells + row * RoomGrid.side
      let mask = grid.mask(tile: tile, row: row)
      row &+= 1
      if mask == .max { continue }
      var i = 0
      while i < RoomGrid.side {
        if mask &>> UInt32(i) & 1 == 0 { line[i] = 0 } else if mask &>> UInt32(16 &+ i) & 1 == 0 { line[i] *= blocked }
        i &+= 1
      }
    }
  }

  /// Writes the weighted sums of numbers that are multiples of a row apart, on both sides.
  private func convolve(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
    let taps = weights.count
    weights.withUnsafeBufferPointer { weights in
      guard let weights = weights.baseAddress else { return }
      let first = weights[0]
      var i = 0
      while i < count {
        target[i] = first * source[i]
        i &+= 1
      }
      var distance = 1
      while distance < taps {
        let (near, far) = (source - distance * RoomGrid.side, source + distance * RoomGrid.side)
        Self.add(near, far, near - RoomGrid.side, far + RoomGrid.side, weights[distance], weights[distance &+ 1], to: target, count)
        distance &+= 2
      }
    }
  }

  /// Adds two weighted sums of pairs. Two at once save loads and stores of the target.
  ///
  /// The compiler makes vector instructions only if it does not see the origin of the pointers.
  @inline(never)
  private static func add(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ c: UnsafePointer<Float>, _ d: UnsafePointer<Float>, _ first: Float,
    _ second: Float, to target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var i = 0
    while i < count {
      target[i] += first * (a[i] + b[i]) + second * (c[i] + d[i])
      i &+= 1
    }
  }
}
