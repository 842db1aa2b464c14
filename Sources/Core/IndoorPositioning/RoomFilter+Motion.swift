public import Motion

// MARK: Motion

extension RoomFilter {
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
    // Computes all amounts before it moves any, so that no probability moves twice.
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
}
