import Venues

// Deviations that leave a result, and that a person can correct.

extension VenueBuilder {
  /// The error of drawing in metres up to which a shape is where it should be.
  private static let tolerance = 0.5
  /// The minimum depth in metres at which two units overlap.
  private static let leastOverlap = 0.1
  /// The mean width in metres below which a unit is a sliver.
  private static let leastWidth = 0.2

  private struct Shape {
    let feature: IMDFFeature
    let level: Int
    let areas: [PlanPolygon]
  }

  /// Adds warnings about shapes that contradict each other.
  ///
  /// The program's own archives have outlines and anchors that only the standard requires.
  mutating func checkShapes() {
    guard !content.hasAdditions else { return }
    let units = content["unit"].compactMap { unit in
      unit.reference("level_id").flatMap { levels[$0] }.map { Shape(feature: unit, level: $0, areas: areas(of: unit)) }
    }
    checkOrdinals()
    checkLevels()
    checkPlaces(of: units)
    checkWidths(of: units)
    checkOverlaps(of: units)
    checkOpenings(units)
  }

  /// Returns the outlines of a feature, as they are.
  private func areas(of feature: IMDFFeature) -> [PlanPolygon] {
    outlines(of: feature).compactMap { PlanPolygon(ring: $0.map(point)) }
  }

  private mutating func checkOrdinals() {
    let ordinals = Set(venue.levels.map(\.ordinal)).sorted()
    for (low, high) in zip(ordinals, ordinals.dropFirst()) where high - low > 1 {
      notes.warn(
        "no level between the ordinals \(low) and \(high); they count as \(high - low) storeys apart", file: "level" + IMDFFormat.suffix)
    }
  }

  private mutating func checkLevels() {
    let footprints = content["footprint"].flatMap(areas)
    guard !footprints.isEmpty else { return }
    for level in content["level"] {
      let corners = areas(of: level).flatMap(\.ring)
      if corners.contains(where: { corner in !footprints.contains { $0.isNear(corner, within: Self.tolerance) } }) {
        notes.warn("the level reaches beyond the footprint of the building", level)
      }
    }
  }

  private mutating func checkPlaces(of units: [Shape]) {
    let outlines = content["level"].reduce(into: [Int: [PlanPolygon]]()) { outlines, level in
      if let index = levels[level.id] { outlines[index] = areas(of: level) }
    }
    for unit in units {
      guard let around = outlines[unit.level], !around.isEmpty, let middle = unit.areas.max(by: { $0.area < $1.area })?.innerPoint else {
        continue
      }
      if !around.contains(where: { $0.isNear(middle, within: Self.tolerance) }) {
        notes.warn("the middle of the unit is outside its level", unit.feature)
      }
    }
  }

  private mutating func checkWidths(of units: [Shape]) {
    for unit in units {
      let isThin = unit.areas.contains { area in
        let length = zip(area.ring, area.ring.dropFirst() + area.ring.prefix(1)).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        return area.area > 0 && 2 * area.area < Self.leastWidth * length
      }
      if isThin { notes.warn("the unit is a sliver, narrower than \(Self.leastWidth) m", unit.feature) }
    }
  }

  /// Compares the units of each level that are floor. Columns and voids lie within the floor around them.
  private mutating func checkOverlaps(of units: [Shape]) {
    for (_, shapes) in Dictionary(grouping: units, by: \.level).sorted(by: { $0.key < $1.key }) {
      let solid = shapes.filter { UnitUse(category: $0.feature.category).isFloor }
        .flatMap { shape in shape.areas.map { (feature: shape.feature, area: $0) } }
        .sorted { $0.area.bounds.least.x < $1.area.bounds.least.x }
      for (number, first) in solid.enumerated() {
        for second in solid[(number + 1)...] {
          if second.area.bounds.least.x > first.area.bounds.most.x { break }
          guard first.feature.id != second.feature.id, first.area.bounds.intersects(second.area.bounds),
            first.area.reaches(into: second.area, by: Self.leastOverlap) || second.area.reaches(into: first.area, by: Self.leastOverlap)
          else { continue }
          notes.warn("the unit overlaps another one", second.feature)
        }
      }
    }
  }

  private mutating func checkOpenings(_ units: [Shape]) {
    let levelled = Dictionary(grouping: units, by: \.level)
    for opening in content["opening"] {
      guard let level = opening.reference("level_id").flatMap({ levels[$0] }), let here = levelled[level],
        case .lines(let lines)? = opening.geometry.flatMap(RawGeometry.init), let line = lines.first, let start = line.first,
        let end = line.last, let from = positions.coordinate(of: start, in: opening.file),
        let to = positions.coordinate(of: end, in: opening.file)
      else { continue }
      let middle = point(from).towards(point(to), 0.5)
      if !here.contains(where: { $0.areas.contains { $0.distanceToEdge(from: middle) <= Self.tolerance } }) {
        notes.warn("the opening is on the edge of no unit", opening)
      }
    }
  }
}

extension PlanPolygon {
  /// Returns whether a corner, an edge or the inner point reaches into another area by a distance in metres.
  fileprivate func reaches(into other: PlanPolygon, by depth: Double) -> Bool {
    let middles = zip(ring, ring.dropFirst() + ring.prefix(1)).map { $0.towards($1, 0.5) }
    return (ring + middles + [innerPoint]).contains { other.contains($0) && other.distanceToEdge(from: $0) > depth }
  }
}

extension UnitUse {
  /// Whether the unit is a part of the floor, and not something within one.
  fileprivate var isFloor: Bool {
    switch self {
    case .walkable, .closed: true
    case .void, .solid: false
    }
  }
}
