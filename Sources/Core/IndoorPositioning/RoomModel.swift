import Venues

/// The building as the room filter sees it: a grid of cells on each level, and transmitters at known places.
public struct RoomModel: Hashable, Sendable {
  /// The assumed height in metres of the receiver above the floor.
  public static let receiverHeight = 1.5
  /// The largest magnitude of a coordinate in metres.
  public static let mostCoordinate = 1e5
  /// The margin in metres around transmitters without an outline.
  static let margin = 3.0
  /// The path-loss exponent from which learned exponents deviate.
  public static let pathLossExponent = Likelihood.exponent
  static let cellSizes = [0.5, 1, 2, 4]

  public let levels: [RoomLevel]
  public private(set) var transmitters: [RoomTransmitter]
  let grid: RoomGrid
  /// The positions of the transmitters, and their levels as indices.
  let places: ContiguousArray<TransmitterPlace>
  /// Pairs of areas between which visitors change floors, in both directions.
  let crossings: [Crossing]
  /// The longest and the mean distance in metres from a walkable cell to the nearest transmitter on its level.
  public let coveringRadius, meanRadius: Double
  private let indices: [String: Int]

  struct TransmitterPlace: Hashable, Sendable {
    var x, y: Double
    /// The height above the origin of the levels' elevations.
    var z: Double
    var level: Int
  }

  /// The cells of two stops that are connected.
  struct Crossing: Hashable, Sendable {
    struct Cell: Hashable, Sendable {
      var tile, cell: Int32
    }
    var from, to: [Cell]
  }

  /// Makes a model.
  ///
  /// - Parameters:
  ///   - levels: the levels in any order. A level without anything but an ordinal gets a box around its transmitters.
  ///   - cellSize: the length of a cell's side in metres, or nil for 0.5 m, and more in buildings that would have too many cells.
  public init(
    levels: [RoomLevel], transmitters: [RoomTransmitter], passages: [RoomPassage] = [], cellSize: Double? = nil
  ) throws(RoomModelError) {
    let levels = levels.sorted { $0.ordinal < $1.ordinal }
    try Self.check(levels, transmitters, passages, cellSize)
    var indices: [String: Int] = [:]
    for (index, transmitter) in transmitters.enumerated() { indices[transmitter.identity] = index }
    let ordinals = Dictionary(uniqueKeysWithValues: levels.enumerated().map { ($1.ordinal, $0) })
    let boxes = levels.map { level in Box(around: level, transmitters.filter { $0.level == level.ordinal }) }
    var frame = boxes[0]
    for box in boxes { frame.form(union: box) }
    guard frame.isValid else { throw .noTransmitters }

    let size = cellSize ?? Self.cellSizes.first { frame.cells($0) * Double(levels.count) <= Double(RoomGrid.mostCells) }
    guard let size, frame.cells(size) * Double(levels.count) <= Double(RoomGrid.mostCells) else {
      throw .tooLarge(metres: max(frame.high.x - frame.low.x, frame.high.y - frame.low.y))
    }
    var grid = RoomGrid(cell: size, from: frame.low, to: frame.high, levels: levels.count)
    for (level, box) in zip(levels, boxes) {
      let (inside, walkable) = Self.rasterise(level, box, grid)
      grid.append(inside: inside, walkable: walkable)
    }
    self.levels = levels
    self.transmitters = transmitters
    self.indices = indices
    self.grid = grid
    let places = ContiguousArray(
      transmitters.map { transmitter in
        let level = ordinals[transmitter.level] ?? 0
        return TransmitterPlace(
          x: transmitter.point.x, y: transmitter.point.y, z: levels[level].elevation + transmitter.height, level: level)
      })
    self.places = places
    crossings = passages.flatMap { Self.crossings($0, ordinals, grid) }
    (coveringRadius, meanRadius) = Self.coveringRadius(grid, places)
  }

  /// Takes the dB that the configuration adds to the RSSI of a transmitter.
  mutating func declare(offset: Double, of transmitter: Int) { transmitters[transmitter].offset = offset }

  /// Returns the index of the transmitter with this identity.
  public func index(of identity: String) -> Int? { indices[identity] }

  /// The number of cells inside.
  public var cellCount: Int {
    (0..<grid.tileCount).reduce(0) { sum, tile in
      sum + (0..<RoomGrid.side).reduce(0) { $0 + Int((grid.mask(tile: tile, row: $1) & 0xFFFF).nonzeroBitCount) }
    }
  }

  /// The length of a cell's side in metres.
  public var cellSize: Double { grid.cell }

  /// Returns the receiver's assumed height on a level.
  func receiverHeight(level: Int) -> Double { levels[level].elevation + Self.receiverHeight }

  private static func check(
    _ levels: [RoomLevel], _ transmitters: [RoomTransmitter], _ passages: [RoomPassage], _ cellSize: Double?
  ) throws(RoomModelError) {
    guard !levels.isEmpty, !transmitters.isEmpty else { throw .noTransmitters }
    for (level, next) in zip(levels, levels.dropFirst()) where level.ordinal == next.ordinal {
      throw .repeatedLevel(ordinal: level.ordinal)
    }
    let ordinals = Set(levels.map(\.ordinal))
    var identities: Set<String> = []
    for transmitter in transmitters {
      guard ordinals.contains(transmitter.level) else { throw .unknownLevel(ordinal: transmitter.level) }
      guard identities.insert(transmitter.identity).inserted else { throw .repeatedTransmitter(identity: transmitter.identity) }
    }
    for stop in passages.flatMap(\.stops) where !ordinals.contains(stop.level) { throw .unknownLevel(ordinal: stop.level) }
    var rings: [[PlanPoint]] = passages.flatMap(\.stops).flatMap(\.area)
    for level in levels { rings += level.outline + (level.walkable + level.obstacles).flatMap(\.rings) + [level.blockedCells] }
    var numbers: [Double] = levels.map(\.elevation)
    for point in rings.joined() { numbers += [point.x, point.y] }
    for transmitter in transmitters { numbers += [transmitter.point.x, transmitter.point.y, transmitter.height, transmitter.power] }
    // A comparison with NaN is false.
    guard numbers.allSatisfy({ abs($0) <= mostCoordinate }), cellSize.map({ $0 >= 0.1 && $0 <= 10 }) ?? true else {
      throw .invalidNumber
    }
  }

  /// Returns the cells inside and the walkable cells of a level.
  private static func rasterise(_ level: RoomLevel, _ box: Box, _ grid: RoomGrid) -> (inside: BitGrid, walkable: BitGrid) {
    var inside = BitGrid(columns: grid.columns, rows: grid.rows)
    if !level.outline.isEmpty { inside.fill(level.outline, in: grid) }
    // An outline without an area counts as none.
    if inside.isEmpty, box.isValid { inside.fill([box.ring], in: grid) }
    var walkable = BitGrid(columns: grid.columns, rows: grid.rows)
    for polygon in level.walkable { walkable.fill(polygon.rings, in: grid) }
    if walkable.isEmpty { walkable.setAll() }
    for polygon in level.obstacles {
      var obstacle = BitGrid(columns: grid.columns, rows: grid.rows)
      obstacle.fill(polygon.rings, in: grid)
      walkable.subtract(obstacle)
    }
    for point in level.blockedCells {
      let (column, row) = ((point.x - grid.origin.x) / grid.cell, (point.y - grid.origin.y) / grid.cell)
      guard column >= 0, row >= 0, column < Double(grid.columns), row < Double(grid.rows) else { continue }
      walkable[Int(column), Int(row)] = false
    }
    return (inside, walkable)
  }

  private static func crossings(_ passage: RoomPassage, _ ordinals: [Int: Int], _ grid: RoomGrid) -> [Crossing] {
    let stops = passage.stops.map { stop in
      var area = BitGrid(columns: grid.columns, rows: grid.rows)
      area.fill(stop.area, in: grid)
      var cells: [Crossing.Cell] = []
      for row in 0..<grid.rows {
        for column in 0..<grid.columns where area[column, row] {
          let place = grid.place(column: column, row: row, level: ordinals[stop.level] ?? 0)
          guard grid.mask(tile: place.tile, row: place.cell / RoomGrid.side) >> UInt32(place.cell % RoomGrid.side) & 1 == 1 else {
            continue
          }
          cells.append(Crossing.Cell(tile: Int32(place.tile), cell: Int32(place.cell)))
        }
      }
      return cells
    }
    return zip(stops, stops.dropFirst()).filter { !$0.isEmpty && !$1.isEmpty }.flatMap { lower, upper in
      [Crossing(from: lower, to: upper), Crossing(from: upper, to: lower)]
    }
  }

  /// Large buildings are sampled at some of their cells.
  private static func coveringRadius(
    _ grid: RoomGrid, _ places: ContiguousArray<TransmitterPlace>
  ) -> (most: Double, mean: Double) {
    let step = max(1, Int((Double(grid.columns * grid.rows * grid.levels) / 20_000).squareRoot().rounded(.up)))
    var (most, sum, count) = (0.0, 0.0, 0.0)
    for level in 0..<grid.levels {
      let near = places.filter { $0.level == level }
      if near.isEmpty { continue }
      for row in stride(from: step / 2, to: grid.rows, by: step) {
        for column in stride(from: step / 2, to: grid.columns, by: step) {
          let place = grid.place(column: column, row: row, level: level)
          guard grid.mask(tile: place.tile, row: place.cell / RoomGrid.side) >> UInt32(16 + place.cell % RoomGrid.side) & 1 == 1 else {
            continue
          }
          let (x, y) = (grid.x(of: column), grid.y(of: row))
          var least = Double.infinity
          for place in near { least = min(least, (place.x - x) * (place.x - x) + (place.y - y) * (place.y - y)) }
          most = max(most, least)
          sum += least.squareRoot()
          count += 1
        }
      }
    }
    return (most.squareRoot(), count > 0 ? sum / count : 0)
  }
}

/// The bounds of a level.
private struct Box {
  var low = PlanPoint(x: .infinity, y: .infinity)
  var high = PlanPoint(x: -.infinity, y: -.infinity)

  init(around level: RoomLevel, _ transmitters: [RoomTransmitter]) {
    if !level.outline.isEmpty {
      for point in level.outline.joined() { add(point, margin: 0) }
      if low.x < high.x, low.y < high.y { return }
    }
    for polygon in level.walkable { for point in polygon.ring { add(point, margin: 0) } }
    // Visitors are rarely beyond the walls of a walkable area.
    let margin = level.walkable.isEmpty ? RoomModel.margin : 0
    for transmitter in transmitters { add(transmitter.point, margin: margin) }
  }

  private mutating func add(_ point: PlanPoint, margin: Double) {
    low = PlanPoint(x: min(low.x, point.x - margin), y: min(low.y, point.y - margin))
    high = PlanPoint(x: max(high.x, point.x + margin), y: max(high.y, point.y + margin))
  }

  mutating func form(union other: Box) {
    low = PlanPoint(x: min(low.x, other.low.x), y: min(low.y, other.low.y))
    high = PlanPoint(x: max(high.x, other.high.x), y: max(high.y, other.high.y))
  }

  var isValid: Bool { low.x < high.x && low.y < high.y }
  var ring: [PlanPoint] { [low, PlanPoint(x: high.x, y: low.y), high, PlanPoint(x: low.x, y: high.y)] }

  /// Returns the number of cells of a size, which may be too large for an integer.
  func cells(_ size: Double) -> Double { max(1, (high.x - low.x) / size) * max(1, (high.y - low.y) / size) }
}
