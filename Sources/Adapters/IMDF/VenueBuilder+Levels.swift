import Venues

extension VenueBuilder {
  // MARK: Levels

  mutating func readLevels() {
    var used = IDPool()
    for feature in content["level"] {
      let ordinal = ordinal(of: feature)
      let made = feature.additions?["generated"]?.list?.compactMap(\.text) ?? []
      let id = id(feature.additions?["id"]?.text ?? feature.id, of: feature, &used)
      levels[feature.id] = venue.levels.count
      venue.levels.append(
        VenueLevel(
          id: id, ordinal: ordinal, name: made.contains("name") ? LocalizedText() : labels(feature["name"], of: feature),
          shortName: made.contains("short_name") ? LocalizedText() : labels(feature["short_name"], of: feature),
          wheelchair: feature.additions?["wheelchair"]?.text.flatMap(WheelchairAccess.init) ?? .unknown))
      if feature["outdoor"]?.flag == true { notes.omit("that the level is outdoors", feature) }
    }
    guard venue.levels.isEmpty, !content["unit"].isEmpty else { return }
    notes.warn("no levels; the units are imported as one level with the ordinal 0", file: "level" + IMDFFormat.suffix)
    venue.levels = [VenueLevel()]
  }

  private mutating func ordinal(of feature: IMDFFeature) -> Int {
    guard let number = feature["ordinal"]?.number, let ordinal = Int(exactly: number), (-100...200).contains(ordinal) else {
      let number = feature["ordinal"]?.number ?? 0
      let ordinal = number.isFinite && abs(number) <= 100 ? Int(number.rounded(.down)) : 0
      notes.warn("the ordinal is not the whole number of a storey; \(ordinal) is assumed", feature)
      return ordinal
    }
    return ordinal
  }

  /// Returns the index of the level that a feature refers to, directly or through a unit; nil with a note if there is none.
  mutating func level(of feature: IMDFFeature) -> Int? {
    if let index = feature.reference("level_id").flatMap({ levels[$0] }) { return index }
    let references = feature.references("unit_ids") + [feature.reference("unit_id")].compactMap { $0 }
    for unit in references.compactMap({ units[$0] }) {
      if let index = unit.reference("level_id").flatMap({ levels[$0] }) { return index }
    }
    guard venue.levels.count > 1 else {
      let hasReference = feature.reference("level_id") != nil || !references.isEmpty
      if hasReference && !content["level"].isEmpty { notes.warn("the reference leads to no level; the only level is assumed", feature) }
      return 0
    }
    // A position inside a unit of one level shows it, the level nearest to the ground first.
    if let point = feature.geometry.flatMap(RawGeometry.init)?.positions.first.flatMap({ positions.coordinate(of: $0, in: feature.file) }) {
      let place = self.point(point)
      let candidates = venue.levels.indices.filter { venue.levels[$0].isWalkable(place) == true }
      if let index = candidates.min(by: { abs(venue.levels[$0].ordinal) < abs(venue.levels[$1].ordinal) }) {
        notes.warn("the reference leads to no level; the one around the position is assumed", feature)
        return index
      }
    }
    notes.warn("the reference leads to no level; the feature is ignored", feature)
    return nil
  }

  // MARK: Units

  /// Reads the areas where visitors can be, and those where they cannot.
  mutating func readUnits() {
    var solids: [(level: Int, area: PlanPolygon)] = []
    for unit in content["unit"] {
      // An area that only carries anchors, because the standard requires a unit for each.
      guard unit.additions?["role"]?.text != "outline", let level = level(of: unit) else { continue }
      let areas = area(of: unit)
      switch UnitUse(category: unit.category) {
      case .walkable: venue.levels[level].walkable += areas
      case .void: venue.levels[level].voids += areas
      case .solid: solids += areas.map { (level, $0) }
      case .closed: notes.omit("the unit of the category \(unit.category.plain(most: 40)), which visitors do not enter", unit)
      }
    }
    for solid in solids where venue.levels[solid.level].isWalkable(solid.area.innerPoint) == true {
      venue.levels[solid.level].voids.append(solid.area)
    }
    if !content.hasAdditions, venue.levels.allSatisfy(\.walkable.isEmpty) {
      notes.warn("no area where visitors can be; add walkable areas to the venue file", file: "unit" + IMDFFormat.suffix)
    }
  }
}
