public import Motion
import Venues

/// The probability of each cell of a building to hold the receiver.
///
/// It is a grid filter over the RSSI of transmitters at known places.
///
/// The state is p(level, cell). Each second `predict` spreads it by a walk, and `update` multiplies it by the likelihood of the packets.
/// Small buildings keep all of their tiles. In large buildings a tile lives while it holds enough probability, or while it is near one of
/// the loudest transmitters.
public struct RoomFilter: Sendable {
  public let model: RoomModel
  /// The models of reception, if they were measured.
  let survey: SurveyMap?
  /// The tiles in memory.
  private(set) var live: ContiguousArray<Int32> = []
  /// The place of each tile in `live`, or -1.
  private(set) var slots: ContiguousArray<Int32>
  /// The probabilities of the live tiles' cells.
  private(set) var cells: ContiguousArray<Float> = []
  private var masses: ContiguousArray<Double> = []
  /// The live tiles of the next second, and their cells.
  private var nextSlots: ContiguousArray<Int32>
  private var nextCells: ContiguousArray<Float> = []
  private var scratch: ContiguousArray<Float> = []
  /// The tiles that always live, and the sum of their weights.
  private var near: ContiguousArray<Int32> = []
  private var nearWeight = 0.0
  private var focus: [Int] = []
  private let keepsAll: Bool
  private let kernels: MotionKernels
  let table: DistanceTable

  /// The distance in metres from the loudest transmitters within which tiles always live.
  static let focusRadius = 12.0
  /// The most tiles of a building that keeps all of them.
  static let smallBuilding = 16
  /// The probability below which a tile is dropped.
  static let leastMass = 1e-6
  /// The probability that the receiver is anywhere, whatever was heard, each second.
  static let leak = 1e-3
  /// The probability each second that a visitor on stairs or in a lift leaves for the next stop.
  static let crossingRate = 0.05
  /// The probability each second that a visitor changes floors anywhere else, for plans with missing stairs.
  static let straySwitchRate = 1e-5

  /// Starts with equal probabilities in all walkable cells, in large buildings once `focus(on:)` is called.
  public init(model: RoomModel, survey: SurveyMap? = nil) {
    self.init(model: model, survey: survey, largestWhole: Self.smallBuilding)
  }

  /// - Parameter largestWhole: the most tiles of a building that keeps all of them.
  init(model: RoomModel, survey: SurveyMap? = nil, largestWhole: Int) {
    self.model = model
    self.survey = survey
    let grid = model.grid
    slots = ContiguousArray(repeating: -1, count: grid.tileCount)
    nextSlots = slots
    kernels = MotionKernels(grid, hasSurvey: survey != nil)
    let all = (0..<grid.tileCount).filter { !grid.isEmpty($0) }
    keepsAll = all.count <= largestWhole
    table = DistanceTable(model, height: survey?.receiverHeight ?? RoomModel.receiverHeight, isStored: keepsAll)
    if keepsAll { setNear(all.map(Int32.init)) }
    restart()
  }

  /// Forgets everything that was heard.
  public mutating func restart() {
    for tile in live { slots[Int(tile)] = -1 }
    live = near
    for (slot, tile) in live.enumerated() { slots[Int(tile)] = Int32(slot) }
    cells = ContiguousArray(repeating: 0, count: live.count * RoomGrid.area)
    masses = ContiguousArray(repeating: 0, count: live.count)
    addUniform(share: 1)
    normalise()
  }

  /// Names the loudest transmitters: the tiles around them on their levels always live.
  ///
  /// The filter starts on the levels next to these as well. Small buildings ignore it.
  public mutating func focus(on transmitters: [Int]) {
    guard !keepsAll, transmitters != focus, !transmitters.isEmpty else { return }
    focus = transmitters
    let grid = model.grid
    let isStart = live.isEmpty
    var tiles: Set<Int32> = []
    let reach = Self.focusRadius
    let length = grid.cell * Double(RoomGrid.side)
    for transmitter in transmitters {
      let place = model.places[transmitter]
      let columns = Self.span(place.x - grid.origin.x, reach, length, grid.tileColumns)
      let rows = Self.span(place.y - grid.origin.y, reach, length, grid.tileRows)
      let others = isStart ? 1 : 0
      for level in max(0, place.level - others)...min(grid.levels - 1, place.level + others) {
        for row in rows {
          for column in columns {
            // The nearest point of the tile.
            let x = min(max(place.x - grid.origin.x, Double(column) * length), Double(column + 1) * length) - (place.x - grid.origin.x)
            let y = min(max(place.y - grid.origin.y, Double(row) * length), Double(row + 1) * length) - (place.y - grid.origin.y)
            let tile = (level * grid.tileRows + row) * grid.tileColumns + column
            if x * x + y * y <= reach * reach, !grid.isEmpty(tile) { tiles.insert(Int32(tile)) }
          }
        }
      }
    }
    setNear(tiles.sorted())
    if isStart {
      restart()
      focus = []
    }
  }

  private static func span(_ middle: Double, _ reach: Double, _ length: Double, _ count: Int) -> ClosedRange<Int> {
    let low = Int(max(0, min(Double(count - 1), ((middle - reach) / length).rounded(.down))))
    let high = Int(max(0, min(Double(count - 1), ((middle + reach) / length).rounded(.down))))
    return low...high
  }

  private mutating func setNear(_ tiles: some Sequence<Int32>) {
    near = ContiguousArray(tiles)
    nearWeight = near.reduce(0) { $0 + Double(model.grid.weights[Int($1)]) }
  }

  /// The octets of memory beside the model.
  public var octets: Int {
    4 * (slots.capacity + nextSlots.capacity + cells.capacity + nextCells.capacity + scratch.capacity + live.capacity + near.capacity)
      + 8 * masses.capacity + table.octets
  }

  /// The number of cells in memory.
  public var liveCells: Int { live.count * RoomGrid.area }

  // MARK: Sums

  /// Adds a share of probability to the tiles that always live, by the weights of their cells.
  private mutating func addUniform(share: Double) {
    guard nearWeight > 0 else { return }
    let walkable = Float(share / nearWeight)
    let blocked = walkable * RoomGrid.blockedWeight
    let grid = model.grid
    for tile in near {
      let slot = Int(slots[Int(tile)])
      cells.withUnsafeMutableBufferPointer { buffer in
        guard let cells = buffer.baseAddress?.advanced(by: slot * RoomGrid.area) else { return }
        var row = 0
        while row < RoomGrid.side {
          let mask = grid.mask(tile: Int(tile), row: row)
          let line = cells + row * RoomGrid.side
          var i = 0
          if mask == .max {
            while i < RoomGrid.side {
              line[i] += walkable
              i &+= 1
            }
          } else if mask != 0 {
            while i < RoomGrid.side {
              if mask &>> UInt32(16 &+ i) & 1 == 1 { line[i] += walkable } else if mask &>> UInt32(i) & 1 == 1 { line[i] += blocked }
              i &+= 1
            }
          }
          row &+= 1
        }
      }
      masses[slot] += share * Double(grid.weights[Int(tile)]) / nearWeight
    }
  }

  /// Sums the live tiles and divides by the total; restarts the filter if nothing is left.
  private mutating func normalise() {
    let count = live.count
    var total = 0.0
    cells.withUnsafeBufferPointer { buffer in
      guard let cells = buffer.baseAddress else { return }
      for slot in 0..<count {
        masses[slot] = RowSums.total(cells + slot * RoomGrid.area)
        total += masses[slot]
      }
    }
    scale(by: total)
  }

  private mutating func scale(by total: Double) {
    guard total > 0, total.isFinite else {
      if !near.isEmpty, total == 0 || !total.isFinite { restart() }
      return
    }
    let factor = Float(1 / total)
    let count = cells.count
    cells.withUnsafeMutableBufferPointer { buffer in
      guard let cells = buffer.baseAddress else { return }
      var i = 0
      while i < count {
        cells[i] *= factor
        i &+= 1
      }
    }
    for slot in masses.indices { masses[slot] /= total }
  }

  // MARK: Motion

  /// Spreads the probabilities by one second of the receiver's motion.
  public mutating func predict(_ motion: DeviceMotion = .unknown) {
    guard !live.isEmpty else { return }
    let targets = keepsAll ? live : spread()
    if keepsAll { nextSlots = slots }
    let size = targets.count * RoomGrid.area
    if nextCells.count < size || nextCells.count > 2 * size { nextCells = ContiguousArray(repeating: 0, count: size) }
    if scratch.count < size || scratch.count > 2 * size { scratch = ContiguousArray(repeating: 0, count: size) }
    let total = kernels[motion].spread(cells, slots, to: &nextCells, targets, nextSlots, via: &scratch, model.grid, &masses)
    for tile in live { slots[Int(tile)] = -1 }
    swap(&slots, &nextSlots)
    swap(&cells, &nextCells)
    live = targets
    if cells.count > size { cells.removeLast(cells.count - size) }
    scale(by: total / (1 - Self.leak))
    changeLevels()
    addUniform(share: Self.leak)
  }

  /// Returns the tiles that hold probability a second later, and numbers them in `nextSlots`.
  private mutating func spread() -> ContiguousArray<Int32> {
    let grid = model.grid
    var targets: ContiguousArray<Int32> = []
    func add(_ tile: Int) {
      if nextSlots[tile] >= 0 || grid.isEmpty(tile) { return }
      nextSlots[tile] = Int32(targets.count)
      targets.append(Int32(tile))
    }
    for tile in near { add(Int(tile)) }
    for (slot, tile) in live.enumerated() where masses[slot] > Self.leastMass {
      let tile = Int(tile)
      let (column, row) = (grid.tileColumn(of: tile), grid.tileRow(of: tile))
      for down in (row > 0 ? -1 : 0)...(row + 1 < grid.tileRows ? 1 : 0) {
        for right in (column > 0 ? -1 : 0)...(column + 1 < grid.tileColumns ? 1 : 0) { add(tile + down * grid.tileColumns + right) }
      }
      guard grid.levels > 1, masses[slot] > 0.01 else { continue }
      let level = grid.level(of: tile)
      if level > 0 { add(tile - grid.tilesPerLevel) }
      if level + 1 < grid.levels { add(tile + grid.tilesPerLevel) }
    }
    for crossing in model.crossings where crossing.from.contains(where: { mass(of: $0.tile) > Self.leastMass }) {
      for cell in crossing.to { add(Int(cell.tile)) }
    }
    return targets
  }

  private func mass(of tile: Int32) -> Double { slots[Int(tile)] < 0 ? 0 : masses[Int(slots[Int(tile)])] }

  /// Moves probability between levels, at stairs and lifts, and very little of it anywhere.
  private mutating func changeLevels() {
    guard model.grid.levels > 1 else { return }
    let area = RoomGrid.area
    // All amounts are taken before any is moved.
    let moved = model.crossings.map { crossing in
      crossing.from.reduce(0.0) { slots[Int($1.tile)] < 0 ? $0 : $0 + Double(cells[Int(slots[Int($1.tile)]) * area + Int($1.cell)]) }
    }
    for (crossing, mass) in zip(model.crossings, moved) where mass > 0 {
      guard crossing.to.allSatisfy({ slots[Int($0.tile)] >= 0 }) else { continue }
      for cell in crossing.from where slots[Int(cell.tile)] >= 0 {
        let index = Int(slots[Int(cell.tile)]) * area + Int(cell.cell)
        let amount = cells[index] * Float(Self.crossingRate)
        cells[index] -= amount
        masses[Int(slots[Int(cell.tile)])] -= Double(amount)
      }
      let amount = Float(mass * Self.crossingRate / Double(crossing.to.count))
      for cell in crossing.to {
        let slot = Int(slots[Int(cell.tile)])
        cells[slot * area + Int(cell.cell)] += amount
        masses[slot] += Double(amount)
      }
    }
    strayBetweenLevels()
  }

  private mutating func strayBetweenLevels() {
    let grid = model.grid
    let before = masses
    for slot in live.indices where before[slot] > 0.01 {
      let tile = Int(live[slot])
      let level = grid.level(of: tile)
      for other in [tile - grid.tilesPerLevel, tile + grid.tilesPerLevel] {
        guard (0..<grid.levels).contains(level + (other < tile ? -1 : 1)), slots[other] >= 0 else { continue }
        let target = Int(slots[other])
        var sum = 0.0
        for cell in 0..<RoomGrid.area {
          guard grid.mask(tile: other, row: cell / RoomGrid.side) &>> UInt32(cell % RoomGrid.side) & 1 == 1 else { continue }
          let amount = cells[slot * RoomGrid.area + cell] * Float(Self.straySwitchRate)
          cells[target * RoomGrid.area + cell] += amount
          sum += Double(amount)
        }
        masses[target] += sum
      }
    }
  }

  // MARK: Likelihood

  /// Multiplies the probabilities by the likelihood of the packets of one second.
  ///
  /// - Parameters:
  ///   - packets: in order of time.
  ///   - radios: the offsets of each adapter, by the adapters' numbers in `packets`.
  ///   - share: the share of a second's information that the packets count, 0...1.
  public mutating func update(_ packets: [RoomPacket], radios: [RadioCorrection] = [RadioCorrection()], share: Double = 1) {
    guard !packets.isEmpty, !live.isEmpty else { return }
    let likelihood = Likelihood(packets.count > 0xFFFF ? Array(packets.prefix(0xFFFF)) : packets, radios, model, survey, share: share)
    let size = live.count * RoomGrid.area
    if scratch.count < size || scratch.count > 2 * size { scratch = ContiguousArray(repeating: 0, count: size) }
    likelihood.multiply(&cells, of: live, model, table, via: &scratch, &masses)
    let total = masses.reduce(0, +)
    scale(by: total)
    dropTiles()
  }

  /// Drops tiles that hold next to nothing and are not near a loud transmitter.
  private mutating func dropTiles() {
    guard !keepsAll else { return }
    for tile in near { nextSlots[Int(tile)] = 0 }
    var kept = 0
    for slot in live.indices {
      let tile = live[slot]
      if masses[slot] <= Self.leastMass && nextSlots[Int(tile)] < 0 {
        slots[Int(tile)] = -1
        continue
      }
      if kept < slot {
        live[kept] = tile
        masses[kept] = masses[slot]
        slots[Int(tile)] = Int32(kept)
        let (to, from) = (kept * RoomGrid.area, slot * RoomGrid.area)
        cells.withUnsafeMutableBufferPointer { cells in
          for cell in 0..<RoomGrid.area { cells[to + cell] = cells[from + cell] }
        }
      }
      kept += 1
    }
    for tile in near { nextSlots[Int(tile)] = -1 }
    live.removeLast(live.count - kept)
    masses.removeLast(masses.count - kept)
    cells.removeLast(cells.count - kept * RoomGrid.area)
  }
}

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
