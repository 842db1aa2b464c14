import RealModule
import Venues

extension RoomFilter {
  /// Returns the probability of each level, in the order of `model.levels`.
  public func levelProbabilities() -> [Double] {
    var sums = [Double](repeating: 0, count: model.levels.count)
    for (slot, tile) in live.enumerated() { sums[model.grid.level(of: Int(tile))] += mass(slot) }
    let total = sums.reduce(0, +)
    return total > 0 ? sums.map { $0 / total } : sums
  }

  private func mass(_ slot: Int) -> Double {
    cells.withUnsafeBufferPointer { buffer in buffer.baseAddress.map { RowSums.total($0 + slot * RoomGrid.area) } ?? 0 }
  }

  /// Returns the position on the level with this index; nil if the level has no probability.
  public func fix(level: Int) -> RoomFix? {
    mean(level: level).map { RoomFix(point: $0.point, radius: radius(around: $0.point, $0.slots, share: 0.68 * $0.mass)) }
  }

  /// Returns the mean position on a level, which costs a fifth of a fix.
  func point(level: Int) -> PlanPoint? { mean(level: level)?.point }

  private func mean(level: Int) -> (point: PlanPoint, mass: Double, slots: [Int])? {
    let grid = model.grid
    let slots = live.indices.filter { grid.level(of: Int(live[$0])) == level }
    var (mass, x, y) = (0.0, 0.0, 0.0)
    cells.withUnsafeBufferPointer { buffer in
      guard let cells = buffer.baseAddress else { return }
      for slot in slots {
        let tile = Int(live[slot])
        let sums = Self.moments(cells + slot * RoomGrid.area)
        mass += sums.mass
        x += sums.mass * grid.x(of: grid.tileColumn(of: tile) * RoomGrid.side) + sums.column * grid.cell
        y += sums.mass * grid.y(of: grid.tileRow(of: tile) * RoomGrid.side) + sums.row * grid.cell
      }
    }
    guard mass > 0 else { return nil }
    return (PlanPoint(x: x / mass, y: y / mass), mass, slots)
  }

  /// Returns the sums of a tile's probabilities, and of these times the numbers of column and row.
  private static func moments(_ cells: UnsafePointer<Float>) -> (mass: Double, column: Double, row: Double) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * RoomGrid.side) { sums in
      guard let sums = sums.baseAddress else { return (0, 0, 0) }
      sums.initialize(repeating: 0, count: 2 * RoomGrid.side)
      let weighted = sums + RoomGrid.side
      var row = 0
      while row < RoomGrid.side {
        let line = cells + row * RoomGrid.side
        let number = Float(row)
        var i = 0
        while i < RoomGrid.side {
          sums[i] += line[i]
          weighted[i] += number * line[i]
          i &+= 1
        }
        row &+= 1
      }
      var (mass, column) = (0.0, 0.0)
      for i in 0..<RoomGrid.side {
        mass += Double(sums[i])
        column += Double(i) * Double(sums[i])
      }
      return (mass, column, RowSums.total(ofRow: weighted))
    }
  }

  /// Returns the distance in metres from a point within which the cells hold a probability of `share`.
  ///
  /// The cells are counted by distance in classes. The cells of the class in question are then sorted.
  private func radius(around point: PlanPoint, _ slots: [Int], share: Double) -> Double {
    let grid = model.grid
    let width = grid.cell / 4
    let classes = 1024
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: classes + RoomGrid.area) { buffer in
      guard let sums = buffer.baseAddress else { return 0 }
      buffer.initialize(repeating: 0)
      let numbers = sums + classes
      let scale = Float(1 / width)
      cells.withUnsafeBufferPointer { buffer in
        guard let cells = buffer.baseAddress else { return }
        for slot in slots {
          distances(from: point, tile: Int(live[slot]), to: numbers)
          let tile = cells + slot * RoomGrid.area
          var i = 0
          while i < RoomGrid.area {
            let number = numbers[i] * scale
            sums[number < Float(classes - 1) ? Int(number) : classes - 1] += tile[i]
            i &+= 1
          }
        }
      }
      var (before, number) = (0.0, 0)
      while number < classes - 1, before + Double(sums[number]) < share {
        before += Double(sums[number])
        number += 1
      }
      var members: [(distance: Float, mass: Float)] = []
      let (least, most) = (Double(number) * width, number < classes - 1 ? Double(number + 1) * width : .infinity)
      for slot in slots where mayReach(least, most, from: point, tile: Int(live[slot])) {
        distances(from: point, tile: Int(live[slot]), to: numbers)
        for i in 0..<RoomGrid.area where cells[slot * RoomGrid.area + i] > 0 {
          let place = numbers[i] * scale
          if (place < Float(classes - 1) ? Int(place) : classes - 1) == number {
            members.append((numbers[i], cells[slot * RoomGrid.area + i]))
          }
        }
      }
      members.sort { $0.distance < $1.distance }
      for member in members {
        before += Double(member.mass)
        if before >= share { return Double(member.distance) }
      }
      return Double(number + 1) * width
    }
  }

  /// Returns whether a cell of a tile may be at a distance between two from a point.
  private func mayReach(_ least: Double, _ most: Double, from point: PlanPoint, tile: Int) -> Bool {
    let grid = model.grid
    let side = grid.cell * Double(RoomGrid.side - 1)
    func offsets(_ start: Double) -> (nearest: Double, farthest: Double) {
      (max(0, start, -start - side), max(abs(start), abs(start + side)))
    }
    let x = offsets(grid.x(of: grid.tileColumn(of: tile) * RoomGrid.side) - point.x)
    let y = offsets(grid.y(of: grid.tileRow(of: tile) * RoomGrid.side) - point.y)
    let nearest = (x.nearest * x.nearest + y.nearest * y.nearest).squareRoot()
    let farthest = (x.farthest * x.farthest + y.farthest * y.farthest).squareRoot()
    // The distances of cells are rounded.
    return nearest < most + 0.01 && farthest > least - 0.01
  }

  /// Writes the distances of a tile's cells from a point.
  private func distances(from point: PlanPoint, tile: Int, to output: UnsafeMutablePointer<Float>) {
    let grid = model.grid
    let x = Float(grid.x(of: grid.tileColumn(of: tile) * RoomGrid.side) - point.x)
    let y = Float(grid.y(of: grid.tileRow(of: tile) * RoomGrid.side) - point.y)
    let cell = Float(grid.cell)
    var row = 0
    while row < RoomGrid.side {
      let along = y + Float(row) * cell
      let square = along * along
      let line = output + row * RoomGrid.side
      var i = 0
      while i < RoomGrid.side {
        let across = x + Float(i) * cell
        line[i] = (across * across + square).squareRoot()
        i &+= 1
      }
      row &+= 1
    }
  }

  /// Returns the probability of an area.
  public func probability(of area: RoomArea) -> Double {
    var sum = 0.0
    for (index, tile) in area.tiles.enumerated() where slots[Int(tile)] >= 0 {
      let start = Int(slots[Int(tile)]) * RoomGrid.area
      for row in 0..<RoomGrid.side {
        let bits = area.bits[index * RoomGrid.side + row]
        if bits == 0 { continue }
        for i in 0..<RoomGrid.side where bits &>> UInt16(i) & 1 == 1 { sum += Double(cells[start + row * RoomGrid.side + i]) }
      }
    }
    return min(1, sum)
  }

  /// Returns the standard deviation in metres of the position on either axis together, over all levels.
  func spreadOfPosition() -> Double {
    let grid = model.grid
    var (mass, x, y, square) = (0.0, 0.0, 0.0, 0.0)
    for (slot, number) in live.enumerated() {
      let tile = Int(number)
      let (left, bottom) = (grid.x(of: grid.tileColumn(of: tile) * RoomGrid.side), grid.y(of: grid.tileRow(of: tile) * RoomGrid.side))
      for row in 0..<RoomGrid.side where grid.mask(tile: tile, row: row) & 0xFFFF != 0 {
        let b = bottom + Double(row) * grid.cell
        for i in 0..<RoomGrid.side {
          let p = Double(cells[slot * RoomGrid.area + row * RoomGrid.side + i])
          let a = left + Double(i) * grid.cell
          mass += p
          x += p * a
          y += p * b
          square += p * (a * a + b * b)
        }
      }
    }
    guard mass > 0 else { return .infinity }
    return max(0, square / mass - (x * x + y * y) / (mass * mass)).squareRoot()
  }
}
