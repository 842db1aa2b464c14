import Venues

/// The probability that the receiver is in a cell, for each cell of a building.
///
/// This is a grid filter over the RSSI of transmitters at known places.
///
/// The state is p(level, cell). Each second `predict` spreads it by a walk, and `update` multiplies it by the likelihood of the packets.
/// Small buildings keep all of their tiles. In large buildings a tile lives while it holds enough probability, or while it is near one of
/// the loudest transmitters.
public struct RoomFilter: Sendable {
  public let model: RoomModel
  /// The models of reception, if they were measured.
  let survey: SurveyMap?
  /// The tiles in memory.
  var live: ContiguousArray<Int32> = []
  /// The place of each tile in `live`, or -1.
  var slots: ContiguousArray<Int32>
  /// The probabilities of the live tiles' cells.
  var cells: ContiguousArray<Float> = []
  var masses: ContiguousArray<Double> = []
  /// The live tiles of the next second, and their cells.
  var nextSlots: ContiguousArray<Int32>
  var nextCells: ContiguousArray<Float> = []
  var scratch: ContiguousArray<Float> = []
  /// The tiles that always live, and the sum of their weights.
  private(set) var near: ContiguousArray<Int32> = []
  private var nearWeight = 0.0
  private var focus: [Int] = []
  let keepsAll: Bool
  let kernels: MotionKernels
  let table: DistanceTable

  /// The distance in metres from the loudest transmitters within which tiles always live.
  static let focusRadius = 12.0
  /// The maximum number of tiles of a building that keeps all of them.
  static let smallBuilding = 16
  /// The probability below which a tile is dropped.
  static let leastMass = 1e-6
  /// The probability each second that the receiver is anywhere, whatever it received.
  static let leak = 1e-3
  /// The probability each second that a visitor on stairs or in a lift leaves for the next stop.
  static let crossingRate = 0.05
  /// The probability each second that a visitor changes floors anywhere else, for plans with missing stairs.
  static let straySwitchRate = 1e-5

  /// Starts with equal probabilities in all walkable cells, in large buildings once `focus(on:)` is called.
  public init(model: RoomModel, survey: SurveyMap? = nil) {
    self.init(model: model, survey: survey, largestWhole: Self.smallBuilding)
  }

  /// - Parameter largestWhole: the maximum number of tiles of a building that keeps all of them.
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
  /// The filter starts on the neighbouring levels as well. In small buildings the call has no effect.
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

  /// The octets of memory in addition to those of the model.
  public var octets: Int {
    4 * (slots.capacity + nextSlots.capacity + cells.capacity + nextCells.capacity + scratch.capacity + live.capacity + near.capacity)
      + 8 * masses.capacity + table.octets
  }

  /// The number of cells in memory.
  public var liveCells: Int { live.count * RoomGrid.area }

  // MARK: Sums

  /// Adds a share of probability to the tiles that always live, by the weights of their cells.
  mutating func addUniform(share: Double) {
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

  mutating func scale(by total: Double) {
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

  /// Drops tiles that hold less than `leastMass` and are not near a loud transmitter.
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
