/// Logarithms and powers of many numbers, the same on every machine.
///
/// They are plain arithmetic that compilers turn into vector instructions.
///
/// Loops count by hand, because ranges are slow in debug builds.
enum VectorMath {
  /// Writes the logarithms to base 2 of positive normal numbers, with an error of 1.6e-5.
  ///
  /// The coefficients are those of log2(1 + t) / t for 0 ≤ t ≤ 1, exact at both ends, by iteratively weighted least squares.
  @inline(__always)
  static func log2(_ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int) {
    let (c0, c1, c2): (Float, Float, Float) = (1.441917062, -0.7090964317, 0.4156060517)
    let (c3, c4): (Float, Float) = (-0.1935756803, 0.0451490432)
    var i = 0
    while i < count {
      let bits = input[i].bitPattern
      // The exponent becomes the low digits of a number at 2^23, which needs no conversion.
      let exponent = Float(bitPattern: bits &>> 23 | 0x4B00_0000) - 8_388_735
      let t = Float(bitPattern: bits & 0x7F_FFFF | 0x3F80_0000) - 1
      output[i] = exponent + t * (c0 + t * (c1 + t * (c2 + t * (c3 + t * c4))))
      i &+= 1
    }
  }

  /// Subtracts the logarithms to base 2 times a factor, with the same error, and resets their arguments to one.
  @inline(__always)
  static func subtractLog2(
    ofAndReset values: UnsafeMutablePointer<Float>, times factor: Float, from output: UnsafeMutablePointer<Float>, count: Int
  ) {
    let (c0, c1, c2): (Float, Float, Float) = (1.441917062, -0.7090964317, 0.4156060517)
    let (c3, c4): (Float, Float) = (-0.1935756803, 0.0451490432)
    var i = 0
    while i < count {
      let bits = values[i].bitPattern
      let exponent = Float(bitPattern: bits &>> 23 | 0x4B00_0000) - 8_388_735
      let t = Float(bitPattern: bits & 0x7F_FFFF | 0x3F80_0000) - 1
      output[i] -= factor * (exponent + t * (c0 + t * (c1 + t * (c2 + t * (c3 + t * c4)))))
      values[i] = 1
      i &+= 1
    }
  }

  /// Multiplies each number by 2 to the power of an exponent less a shift; exponents below -120 count as -120.
  ///
  /// Tiny products become zero, because processors are slow with numbers that are not normal.
  /// The coefficients are those of 2^f for -1/2 ≤ f ≤ 1/2. The relative error is 1e-7.
  @inline(__always)
  static func scale(_ values: UnsafeMutablePointer<Float>, byPowers exponents: UnsafePointer<Float>, less shift: Float, count: Int) {
    let (e0, e1, e2): (Float, Float, Float) = (1.000000119, 0.693146944, 0.2402212024)
    let (e3, e4, e5): (Float, Float, Float) = (0.05550713465, 0.009675541893, 0.001327646081)
    var i = 0
    while i < count {
      let difference = exponents[i] - shift
      let x = difference < -120 ? -120 : difference
      // Adding 1.5 × 2^23 rounds to the nearest whole number, in the low digits.
      let rounded = x + 12_582_912
      let f = x - (rounded - 12_582_912)
      let power = e0 + f * (e1 + f * (e2 + f * (e3 + f * (e4 + f * e5))))
      let product = values[i] * Float(bitPattern: power.bitPattern &+ rounded.bitPattern &<< 23)
      values[i] = product < 1e-25 ? 0 : product
      i &+= 1
    }
  }
}

/// The logarithms to base 2 of the squared distances from transmitters to cells.
struct DistanceTable: Sendable {
  /// The squared distance in m² that replaces zero.
  private static var least: Float { 1e-6 }

  /// The cells of each tile for each transmitter; empty in large buildings, which compute them each time.
  private var table: ContiguousArray<Float> = []
  private let transmitters: Int
  /// The heights of the receiver by level.
  private let heights: ContiguousArray<Double>

  /// - Parameters:
  ///   - height: the height of the receiver above the floor.
  ///   - isStored: whether memory is spent for time.
  init(_ model: RoomModel, height: Double, isStored: Bool) {
    transmitters = model.transmitters.count
    heights = ContiguousArray(model.levels.map { $0.elevation + height })
    guard isStored else { return }
    let grid = model.grid
    var values = ContiguousArray<Float>(repeating: 0, count: grid.tileCount * transmitters * RoomGrid.area)
    values.withUnsafeMutableBufferPointer { buffer in
      guard let values = buffer.baseAddress else { return }
      for tile in 0..<grid.tileCount where !grid.isEmpty(tile) {
        for (transmitter, place) in model.places.enumerated() {
          write(place, tile, grid, to: values + (tile * transmitters + transmitter) * RoomGrid.area, 0..<RoomGrid.side)
        }
      }
    }
    table = values
  }

  var octets: Int { 4 * table.capacity }

  /// Calls `body` with the logarithms of a tile's cells, of which only the given rows are valid.
  ///
  /// - Parameter scratch: room for a tile.
  @inline(__always)
  func with(
    _ transmitter: Int, _ place: RoomModel.TransmitterPlace, _ tile: Int, _ grid: RoomGrid, _ rows: Range<Int>,
    _ scratch: UnsafeMutablePointer<Float>, _ body: (UnsafePointer<Float>) -> Void
  ) {
    if table.isEmpty {
      write(place, tile, grid, to: scratch, rows)
      body(scratch)
    } else {
      table.withUnsafeBufferPointer { table in
        if let table = table.baseAddress { body(table + (tile * transmitters + transmitter) * RoomGrid.area) }
      }
    }
  }

  private func write(
    _ place: RoomModel.TransmitterPlace, _ tile: Int, _ grid: RoomGrid, to output: UnsafeMutablePointer<Float>, _ rows: Range<Int>
  ) {
    let side = RoomGrid.side
    let z = place.z - heights[grid.level(of: tile)]
    let x = grid.x(of: grid.tileColumn(of: tile) * side) - place.x
    let y = grid.y(of: grid.tileRow(of: tile) * side) - place.y
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * side) { squares in
      guard let across = squares.baseAddress else { return }
      let along = across + side
      var i = 0
      while i < side {
        let (right, up) = (x + Double(i) * grid.cell, y + Double(i) * grid.cell)
        across[i] = Float(right * right)
        along[i] = Float(up * up + z * z)
        i &+= 1
      }
      Self.add(across, along + rows.lowerBound, to: output + rows.lowerBound * side, rows.count, side)
    }
    VectorMath.log2(output + rows.lowerBound * side, to: output + rows.lowerBound * side, count: rows.count * side)
  }

  /// Writes the sums of the squares along both axes.
  ///
  /// The compiler makes vector instructions only if it sees nothing of the pointers' origin and of the length of a row.
  @inline(never)
  private static func add(
    _ across: UnsafePointer<Float>, _ along: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, _ rows: Int, _ side: Int
  ) {
    let least = least
    var row = 0
    while row < rows {
      let line = output + row &* side
      let square = along[row]
      var i = 0
      while i < side {
        let sum = across[i] + square
        line[i] = sum < least ? least : sum
        i &+= 1
      }
      row &+= 1
    }
  }
}
