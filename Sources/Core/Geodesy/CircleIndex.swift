/// Finds those of many circles that contain a place, at a cost independent of their number.
///
/// To find near boundaries, index circles that are larger by the distance of interest. Nearly every result comes from a chord through the
/// earth; the geodesic is computed only if the chord is inconclusive, in a band 1 mm wide at 10 km.
public struct CircleIndex: Sendable {
  private struct Entry: Sendable {
    var center: SpacePoint
    /// Limits for squared chords: a place is inside up to the first, and outside beyond the second.
    /// Both are negative for a vacant number. Single precision widens the band between them slightly, but two entries fit in a cache
    /// line.
    var inside: Float
    var outside: Float
  }

  /// A grid for circles of similar size; the largest circles are checked one by one.
  private struct Level: Sendable {
    var grid: EarthGrid
    var table = CellTable()
    var isEmpty = true
  }

  private let figure: EarthFigure
  private var entries: ContiguousArray<Entry> = []
  private var circles: ContiguousArray<Circle> = []
  private var levels: ContiguousArray<Level>
  private var largest: [UInt32] = []
  private var vacant: [Int] = []
  /// Freed numbers that the grids still hold; reusing one before the next build would find its circle twice.
  private var removed: [Int] = []
  /// The number of changes since the grids were built.
  private var changes = 0

  /// The limits in degrees of arc: a circle lies in the first grid whose limit it does not exceed.
  /// It therefore lies in a few dozen cells at most.
  private static let sizes: [(limit: Double, cell: Double)] = [(0.02, 0.008), (0.4, 0.16), (6.4, 2.56)]
  /// The grids of these sizes, which every index shares.
  private static let grids = sizes.map { EarthGrid(cellHeight: $0.cell) }
  /// The length of a degree of arc in metres where it is shortest, on the meridian at the equator.
  private static let metresPerDegree = 110_574.0

  public init(figure: EarthFigure = .ellipsoid) {
    self.figure = figure
    levels = ContiguousArray(Self.grids.map { Level(grid: $0) })
  }

  /// Indexes circles and numbers them in their order.
  public init(_ circles: some Sequence<Circle>, figure: EarthFigure = .ellipsoid) {
    self.init(figure: figure)
    self.circles = ContiguousArray(circles)
    entries = ContiguousArray(self.circles.map { Self.entry($0, figure) })
    build()
  }

  public var count: Int { entries.count - vacant.count - removed.count }

  /// The circle with a number that is in use.
  public subscript(number: Int) -> Circle { circles[number] }

  /// Calls `body` once with the number of every circle that contains the place.
  @inline(__always)
  public func forEach(containing place: Coordinate, _ body: (Int) -> Void) {
    let point = figure.point(of: place)
    let entries = entries.span
    for level in levels.indices where !levels[level].isEmpty {
      let cell = levels[level].grid.cell(latitude: place.latitude, longitude: place.longitude)
      levels[level].table.forEach(in: cell) { number in
        // The table has only numbers of entries.
        if contains(entries[unchecked: Int(number)], Int(number), point, place) { body(Int(number)) }
      }
    }
    for number in largest where contains(entries[Int(number)], Int(number), point, place) { body(Int(number)) }
  }

  @inline(__always)
  private func contains(_ entry: Entry, _ number: Int, _ point: SpacePoint, _ place: Coordinate) -> Bool {
    // The limits have a margin for the rounding of the chord. Most circles of a cell are excluded by the first comparison.
    let squared = point.squaredDistance(to: entry.center)
    let rounded = Float(squared)
    return rounded <= entry.outside
      && (rounded <= entry.inside || figure.contains(place, atSquaredChord: squared, circles[number]))
  }
}

// MARK: - Near boundaries

extension CircleIndex {
  /// Calls `body` once with the number of every circle within `reach` metres of the place, and the distance to its boundary.
  /// The distance is in metres, and negative inside.
  ///
  /// A boundary is near if the absolute value of its distance is at most `reach`.
  public func forEach(within reach: Double, of place: Coordinate, _ body: (Int, Double) -> Void) {
    let point = figure.point(of: place)
    func look(at number: Int) {
      let (entry, circle) = (entries[number], circles[number])
      let (squared, limit) = (point.squaredDistance(to: entry.center), circle.radius + reach + EarthFigure.rounding)
      // No line on the surface is shorter than its chord.
      guard entry.outside >= 0, squared <= limit * limit else { return }
      let boundary = figure.distance(from: circle.center, to: place, squaredChord: squared) - circle.radius
      if boundary <= reach { body(number, boundary) }
    }
    let radius = reach / Self.metresPerDegree
    let rows = levels.first { !$0.isEmpty }.map { 2 * radius / $0.grid.cellHeight + 2 } ?? 0
    // With more cells than circles, the grid is slower than a check of every circle.
    guard rows * rows < Double(entries.count) else { return entries.indices.forEach(look) }
    for number in largest { look(at: Int(number)) }
    for level in levels where !level.isEmpty {
      var numbers: ContiguousArray<UInt32> = []
      level.grid.forEachCell(latitude: place.latitude, longitude: place.longitude, radius: radius) { cell in
        level.table.forEach(in: cell) { numbers.append($0) }
      }
      numbers.sort()
      var last = UInt32.max
      for number in numbers where number != last {
        look(at: Int(number))
        last = number
      }
    }
  }
}

// MARK: - Single circles

extension CircleIndex {
  /// A place that is compared with many circles.
  public struct QueryPoint: Sendable {
    fileprivate let point: SpacePoint
  }

  public func queryPoint(of place: Coordinate) -> QueryPoint { QueryPoint(point: figure.point(of: place)) }

  /// Returns whether the place is farther than that many metres from a circle's center, judged by the chord.
  /// If the result is false, only the geodesic is conclusive.
  @inline(__always)
  public func isFarther(_ queryPoint: QueryPoint, from number: Int, than distance: Double) -> Bool {
    let limit = distance + EarthFigure.rounding
    return queryPoint.point.squaredDistance(to: entries[number].center) > limit * limit
  }
}

// MARK: - Changes

extension CircleIndex {
  /// Adds a circle and returns its number, which was free. Amortised O(1).
  public mutating func insert(_ circle: Circle) -> Int {
    let number = vacant.popLast() ?? entries.endIndex
    if number == entries.endIndex {
      entries.append(Self.entry(circle, figure))
      circles.append(circle)
    } else {
      entries[number] = Self.entry(circle, figure)
      circles[number] = circle
    }
    if let level = Self.level(of: circle) {
      levels[level].isEmpty = false
      levels[level].grid.forEachCell(of: circle, radius: Self.degrees(circle)) { levels[level].table.add(UInt32(number), to: $0) }
    } else {
      largest.append(UInt32(number))
    }
    noteChange()
    return number
  }

  /// Removes a circle and frees its number. Amortised O(1).
  public mutating func remove(_ number: Int) {
    guard entries.indices.contains(number), entries[number].outside >= 0 else { return }
    entries[number].inside = -1
    entries[number].outside = -1
    let circle = circles[number]
    if let level = Self.level(of: circle) {
      levels[level].grid.forEachCell(of: circle, radius: Self.degrees(circle)) { levels[level].table.remove(UInt32(number), from: $0) }
    } else {
      largest.removeAll { $0 == UInt32(number) }
    }
    removed.append(number)
    noteChange()
  }

  /// Reserves memory for that many circles.
  public mutating func reserve(_ count: Int) {
    entries.reserveCapacity(count)
    circles.reserveCapacity(count)
  }

  /// Rebuilds the grids after changes, for the least memory and time; useful after many changes at once.
  public mutating func settle() {
    if changes > 0 { build() }
  }

  private mutating func noteChange() {
    changes += 1
    if changes > 64 + entries.count / 4 { build() }
  }

  private mutating func build() {
    changes = 0
    vacant += removed
    removed = []
    largest = []
    var counts = [Int](repeating: 0, count: levels.count)
    for number in entries.indices where entries[number].outside >= 0 {
      if let level = Self.level(of: circles[number]) { counts[level] += 1 } else { largest.append(UInt32(number)) }
    }
    for level in levels.indices {
      levels[level].isEmpty = counts[level] == 0
      let (grid, entries, circles) = (levels[level].grid, entries, circles)
      let numbers = entries.indices.lazy.filter { entries[$0].outside >= 0 && Self.level(of: circles[$0]) == level }
      levels[level].table = CellTable(numbers.map { UInt32($0) }, expecting: counts[level]) { number, body in
        let circle = circles[Int(number)]
        grid.forEachCell(of: circle, radius: Self.degrees(circle), body)
      }
    }
  }

  private static func entry(_ circle: Circle, _ figure: EarthFigure) -> Entry {
    let chords = figure.chords(of: circle.radius)
    return Entry(
      center: figure.point(of: circle.center), inside: Float(chords.lowerBound * chords.lowerBound).nextDown,
      outside: Float(chords.upperBound * chords.upperBound).nextUp)
  }

  private static func degrees(_ circle: Circle) -> Double { circle.radius / metresPerDegree }

  private static func level(of circle: Circle) -> Int? {
    let degrees = degrees(circle)
    return sizes.firstIndex { degrees <= $0.limit }
  }
}

extension EarthGrid {
  fileprivate func forEachCell(of circle: Circle, radius: Double, _ body: (UInt64) -> Void) {
    forEachCell(latitude: circle.center.latitude, longitude: circle.center.longitude, radius: radius, body)
  }
}
