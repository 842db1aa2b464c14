import Geodesy
import Glibc
import Venues

/// Builds a venue of the features of an archive.
struct VenueBuilder {
  let content: IMDFContent
  let positions: MapPositions
  let repair: PolygonRepair
  var notes: NoteList
  var venue: Venue
  var frame: VenueFrame
  /// The index of a level by the id of its feature.
  var levels: [String: Int] = [:]
  /// The valid areas of features, by type and id.
  private var areas: [String: [PlanPolygon]] = [:]
  /// The features that others refer to, by id.
  let anchors: [String: IMDFFeature]
  let units: [String: IMDFFeature]

  init(_ content: IMDFContent, id: String, isLatitudeFirst: Bool, _ notes: NoteList) throws(IMDFError) {
    var notes = notes
    self.content = content
    positions = try MapPositions(content, isLatitudeFirst: isLatitudeFirst, &notes)
    repair = try PolygonRepair()
    self.notes = notes
    venue = Venue(id: id, levels: [])
    frame = VenueFrame(origin: positions.center)
    anchors = Dictionary(content["anchor"].map { ($0.id, $0) }) { first, _ in first }
    units = Dictionary(content["unit"].map { ($0.id, $0) }) { first, _ in first }
  }

  mutating func build() throws(IMDFError) -> Venue {
    checkDecimals()
    readVenue()
    readLevels()
    guard !venue.levels.isEmpty else { throw .invalid("the archive has neither levels nor units; there is nothing to import") }
    readUnits()
    checkShapes()
    readPlaces()
    readRoutes()
    readExtensions()
    noteOmissions()
    return venue
  }

  // MARK: Venue and frame

  private mutating func readVenue() {
    if let feature = content["venue"].first {
      venue.name = labels(feature["name"], of: feature)
      if venue.name.isEmpty { notes.warn("no name", feature) }
      readOffer(feature)
      if let additions = feature.additions { readAdditions(additions, of: feature) }
      for other in content["venue"].dropFirst() { notes.warn("a second venue; only the first one is imported", other) }
    }
    if venue.frame == nil {
      frame = computedFrame()
      venue.frame = frame
    }
  }

  private func computedFrame() -> VenueFrame {
    for types in [["footprint"], ["level"], ["unit"], ["venue", "section", "kiosk"]] {
      let outlines = types.flatMap { content[$0] }.flatMap(outlines)
      guard !outlines.isEmpty else { continue }
      // The direction is that of these outlines, and the corner that of everything on the levels.
      let all = outlines + ["level", "unit"].flatMap { content[$0] }.flatMap(self.outlines)
      if let frame = VenueFrame(along: all, around: positions.center) { return frame }
    }
    return VenueFrame(origin: positions.center)
  }

  func outlines(of feature: IMDFFeature) -> [[Coordinate]] {
    guard case .polygons(let polygons)? = feature.geometry.flatMap(RawGeometry.init) else { return [] }
    return polygons.compactMap { rings in
      guard let outline = rings.first else { return nil }
      let coordinates = outline.compactMap { positions.coordinate(of: $0, in: feature.file) }
      return coordinates.count == outline.count ? coordinates : nil
    }
  }

  // MARK: Positions

  /// Returns the point of a coordinate to the millimetre.
  func point(_ coordinate: Coordinate) -> PlanPoint { frame.point(for: coordinate).millimetres }

  /// Returns the points of positions, or nil with a note if one of them is impossible.
  private mutating func points(_ raw: [RawPosition], of feature: IMDFFeature) -> [PlanPoint]? {
    var points: [PlanPoint] = []
    for position in raw {
      guard let coordinate = positions.coordinate(of: position, in: feature.file) else {
        let isZero = position.isNearZero
        notes.warn(
          isZero ? "a position near 0, 0; the feature is ignored" : "a position far from the venue; the feature is ignored", feature)
        return nil
      }
      points.append(point(coordinate))
    }
    return points
  }

  /// Returns the areas of a feature, valid and without holes, with a note if they had to be changed.
  mutating func area(of feature: IMDFFeature) -> [PlanPolygon] {
    let key = "\(feature.type)/\(feature.id)"
    if let known = areas[key] { return known }
    var polygons: [PlanPolygon] = []
    defer { areas[key] = polygons }
    guard case .polygons(let raw)? = feature.geometry.flatMap(RawGeometry.init) else {
      notes.warn("no Polygon or MultiPolygon; the feature is ignored", feature)
      return []
    }
    for rings in raw {
      var lists: [[PlanPoint]] = []
      for ring in rings {
        guard let list = points(ring, of: feature) else { return [] }
        lists.append(list)
      }
      guard let outline = lists.first else { continue }
      let outcome = repair.polygons(ring: outline, holes: Array(lists.dropFirst()))
      if let problem = outcome.problem { notes.warn("the polygon is invalid (\(problem)); it is repaired", feature) }
      if outcome.polygons.isEmpty { notes.warn("the polygon has no area; it is ignored", feature) }
      polygons += outcome.polygons
    }
    return polygons
  }

  /// Returns the line of a feature.
  mutating func line(of feature: IMDFFeature) -> [[PlanPoint]] {
    guard case .lines(let lines)? = feature.geometry.flatMap(RawGeometry.init) else {
      notes.warn("no LineString; the feature is ignored", feature)
      return []
    }
    return lines.compactMap { points($0, of: feature) }
  }

  /// Returns the point of a feature: its geometry, its `display_point`, or the middle of its area or line.
  mutating func point(of feature: IMDFFeature) -> PlanPoint? {
    switch feature.geometry.flatMap(RawGeometry.init) {
    case .point(let position)?: return points([position], of: feature)?.first
    case .lines?:
      guard let line = line(of: feature).first, let start = line.first, let end = line.last else { return nil }
      return line.count == 2 ? start.towards(end, 0.5).millimetres : line[line.count / 2]
    case .polygons?:
      if let display = positions.displayPoint(of: feature) { return point(display) }
      return area(of: feature).max { $0.area < $1.area }?.innerPoint
    case nil: return positions.displayPoint(of: feature).map(point)
    }
  }

  // MARK: Notes

  private mutating func checkDecimals() {
    for type in IMDFFormat.featureTypes {
      for feature in content[type] {
        guard let geometry = feature.geometry.flatMap(RawGeometry.init) else { continue }
        if geometry.positions.contains(where: \.isTooPrecise) { notes.warn("more than 7 decimals; positions are rounded", feature) }
      }
    }
  }

  /// Adds notes about content without a place in a venue.
  private mutating func noteOmissions() {
    for (type, thing) in [
      ("address", "the address"), ("building", "the building"), ("fixture", "the fixture"), ("geofence", "the geofence"),
    ] {
      // The program's own archives have these only because the standard requires them.
      for feature in content[type] where !content.hasAdditions { notes.omit(thing, feature) }
    }
    let properties = ["accessibility", "access_control", "alt_name", "correlation_id", "door", "hours", "phone", "restriction", "validity"]
    for type in ["venue", "level", "unit", "opening", "section", "kiosk", "amenity", "occupant", "relationship"] {
      for feature in content[type] {
        for property in properties where feature[property] != nil { notes.omit("the property \"\(property)\"", feature) }
      }
    }
  }
}

extension PlanPolygon {
  /// A point inside: the centre of gravity, or the middle of the widest part at the centre's height.
  var innerPoint: PlanPoint {
    guard !contains(center) else { return center.millimetres }
    let y = bounds.center.y
    var crossings: [Double] = []
    for (start, end) in zip(ring, ring.dropFirst() + ring.prefix(1)) where (start.y > y) != (end.y > y) {
      crossings.append(start.x + (y - start.y) / (end.y - start.y) * (end.x - start.x))
    }
    crossings.sort()
    let gaps = stride(from: 0, to: crossings.count - 1, by: 2).map { (crossings[$0], crossings[$0 + 1]) }
    guard let widest = gaps.max(by: { $0.1 - $0.0 < $1.1 - $1.0 }) else { return center }
    return PlanPoint(x: (widest.0 + widest.1) / 2, y: y).millimetres
  }
}

extension PlanPoint {
  /// The point to the millimetre.
  var millimetres: PlanPoint { PlanPoint(x: (x * 1000).rounded() / 1000 + 0, y: (y * 1000).rounded() / 1000 + 0) }
}
