import Beacons
import Venues

extension VenueDocument {
  /// Parts of a valid venue that are probably wrong, each with its remedy, by line.
  public var warnings: [ConfigurationProblem] {
    (readingWarnings + strayBeacons + islands + overlaps + untranslated).enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(\.element)
  }

  /// The distance in metres from the walkable area at which a beacon still hangs on its wall.
  private static let mostWall = 1.0
  /// The most warnings of a kind.
  private static let most = 10

  private func warning(_ line: Int?, _ message: String) -> ConfigurationProblem {
    ConfigurationProblem(file: file, line: line, column: nil, message: message)
  }

  /// Returns the first warnings; the last one says how many more there are.
  private func limited(_ warnings: [ConfigurationProblem], _ things: String) -> [ConfigurationProblem] {
    guard warnings.count > Self.most else { return warnings }
    return warnings.prefix(Self.most - 1) + [warning(warnings[Self.most - 1].line, "and \(warnings.count - Self.most + 1) more \(things)")]
  }

  private var strayBeacons: [ConfigurationProblem] {
    limited(
      venue.beaconsOutside(by: Self.mostWall).map { index in
        let beacon = venue.beacons[index]
        return warning(
          lines.beacons[index],
          "beacon \(beacon.identity.major)/\(beacon.identity.minor): position: \(beacon.position.text) is more than \(Int(Self.mostWall)) m outside the "
            + "walkable areas of level \(beacon.level.quoted); correct the position, the level or the areas")
      }, "beacons outside the walkable areas")
  }

  private var islands: [ConfigurationProblem] {
    limited(
      venue.connectedAreas.dropFirst().map { group in
        let (level, area) = (group[0].level, group[0].area)
        let id = venue.levels[level].id.quoted
        let corner = venue.levels[level].walkable[area].ring[0].text
        let whole = group.count == venue.levels[level].walkable.count && group.allSatisfy { $0.level == level }
        let part = whole ? "no way leads to this level" : "no way leads to the area at \(corner)"
        return warning(lines.levels[level], "level \(id): walkable: \(part); add an [[edge]] or a [[lift]], or join the areas")
      }, "areas without a way to them")
  }

  private var overlaps: [ConfigurationProblem] {
    limited(
      venue.overlappingLevels.map { first, second in
        warning(
          lines.levels[second],
          "level \(venue.levels[second].id.quoted): ordinal: its areas overlap those of level \(venue.levels[first].id.quoted), which has the same ordinal "
            + "\(venue.levels[first].ordinal); give each storey its own")
      }, "overlapping levels")
  }

  /// One warning for each language in which some titles are missing.
  private var untranslated: [ConfigurationProblem] {
    let titled = venue.places.indices.filter { !venue.places[$0].title.isEmpty }
    var languages: [String] = []
    for text in [venue.name] + titled.map({ venue.places[$0].title }) {
      for language in text.languages where !language.isEmpty && !languages.contains(language) && languages.count < 32 {
        languages.append(language)
      }
    }
    return languages.compactMap { language in
      let missing = titled.filter { !venue.places[$0].title.languages.contains(language) }
      guard let first = missing.first else { return nil }
      let names = missing.prefix(4).map { venue.places[$0].id.quoted }.joined(separator: ", ")
      let more = missing.count > 4 ? " and \(missing.count - 4) more" : ""
      return warning(
        lines.places[first], "place \(names)\(more): title: is missing in \(language.quoted), which other titles of the venue have; add it")
    }
  }
}
