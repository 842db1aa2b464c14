public import Venues
import RealModule

/// The estimated position on a level.
public struct RoomFix: Hashable, Sendable {
  /// The mean of the probabilities on the level.
  public var point: PlanPoint
  /// The radius in metres around the point that holds 68 % of the level's probability.
  public var radius: Double
}

/// The probability distribution of the distance to a transmitter.
public struct RoomDistance: Hashable, Sendable {
  /// The distance in metres whose logarithm is the mean.
  public var metres: Double
  /// The standard deviation of the natural logarithm.
  public var deviation: Double
}

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

  /// Returns the position on the level with this index; nil if it is impossible.
  public func fix(level: Int) -> RoomFix? {
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
    let point = PlanPoint(x: x / mass, y: y / mass)
    return RoomFix(point: point, radius: radius(around: point, slots, share: 0.68 * mass))
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

  /// Returns the distance from a point of the cell with which the nearest cells hold a probability.
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
      for slot in slots {
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

  /// Returns the distance to a transmitter over all levels.
  public func distance(to transmitter: Int) -> RoomDistance {
    let sums = logarithmicMoments(of: transmitter)
    // From base 2 and squares to the natural logarithm of the distance.
    let factor = Double.log(2) / 2
    let mean = sums.first * factor
    let variance = max(0, sums.second - sums.first * sums.first) * factor * factor
    return RoomDistance(metres: Double.exp(mean), deviation: variance.squareRoot())
  }

  /// Returns the mean of the logarithm to base 2 of the squared distance, and the mean of its square.
  ///
  /// - Parameter least: the least logarithm.
  func logarithmicMoments(of transmitter: Int, least: Float = -20) -> (first: Double, second: Double) {
    var (mass, first, second) = (0.0, 0.0, 0.0)
    forEachTile(of: transmitter) { logarithms, cells, count in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * RoomGrid.side) { sums in
        guard let m = sums.baseAddress else { return }
        sums.initialize(repeating: 0)
        let (a, b) = (m + RoomGrid.side, m + 2 * RoomGrid.side)
        var start = 0
        while start < count {
          var i = 0
          while i < RoomGrid.side {
            let p = cells[start &+ i]
            let value = logarithms[start &+ i]
            let logarithm = value < least ? least : value
            m[i] += p
            a[i] += p * logarithm
            b[i] += p * logarithm * logarithm
            i &+= 1
          }
          start &+= RoomGrid.side
        }
        mass += RowSums.total(ofRow: m)
        first += RowSums.total(ofRow: a)
        second += RowSums.total(ofRow: b)
      }
    }
    return mass > 0 ? (first / mass, second / mass) : (0, 0)
  }

  /// Calls `body` for each tile with the logarithms to base 2 of squared distances, the probabilities and the cell count.
  @inline(__always)
  private func forEachTile(of transmitter: Int, _ body: (UnsafePointer<Float>, UnsafePointer<Float>, Int) -> Void) {
    let grid = model.grid
    var buffer = ContiguousArray<Float>(repeating: 0, count: RoomGrid.area)
    buffer.withUnsafeMutableBufferPointer { buffer in
      cells.withUnsafeBufferPointer { cells in
        guard let buffer = buffer.baseAddress, let cells = cells.baseAddress else { return }
        for (slot, number) in live.enumerated() {
          let rows = grid.rows(of: Int(number))
          table.with(transmitter, model.places[transmitter], Int(number), grid, rows, buffer) { logarithms in
            body(logarithms, cells + slot * RoomGrid.area, rows.count * RoomGrid.side)
          }
        }
      }
    }
  }

  /// Returns the probability that a transmitter is closer than a distance in metres, over all levels.
  public func probability(of transmitter: Int, within metres: Double) -> Double {
    let limit = metres > 0 ? Float(2 * Double.log2(metres)) : -.infinity
    var (mass, sum) = (0.0, 0.0)
    forEachTile(of: transmitter) { logarithms, cells, count in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * RoomGrid.side) { sums in
        guard let all = sums.baseAddress else { return }
        sums.initialize(repeating: 0)
        let inside = all + RoomGrid.side
        var start = 0
        while start < count {
          var i = 0
          while i < RoomGrid.side {
            let p = cells[start &+ i]
            all[i] += p
            inside[i] += logarithms[start &+ i] < limit ? p : 0
            i &+= 1
          }
          start &+= RoomGrid.side
        }
        mass += RowSums.total(ofRow: all)
        sum += RowSums.total(ofRow: inside)
      }
    }
    return mass > 0 ? sum / mass : 0
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

/// The accuracy of a fix.
public enum RoomAccuracy {
  /// Returns the accuracy in metres, one sigma.
  ///
  /// The radius alone is honest with twelve transmitters only, and lags behind a moving visitor.
  ///
  /// - Parameters:
  ///   - radius: the radius that holds 68 % of the probability.
  ///   - displacement: the distance in metres from the position five seconds ago.
  ///   - heard: the number of transmitters that were heard within three seconds.
  ///   - levelDeviation: the standard deviation in dB of the adapter's level, which shifts all distances alike.
  public static func metres(radius: Double, displacement: Double, heard: Int, levelDeviation: Double = 0) -> Double {
    let lag = 1.5 * displacement / 5
    let position = max(1, 2.9 - 0.22 * Double(heard)) * (radius * radius + lag * lag).squareRoot()
    let shift = metresPerDecibel * levelDeviation
    return (position * position + shift * shift).squareRoot()
  }

  /// The error of the position on the gallery walks for a level that is wrong by one dB.
  private static let metresPerDecibel = 0.75
}
