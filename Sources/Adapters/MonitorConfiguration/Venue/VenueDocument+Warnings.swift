import Beacons
import Geodesy
import IndoorPositioning
import RealModule
import Venues

extension VenueDocument {
  /// Parts of a valid venue that are probably wrong, each with its remedy, by line.
  public var warnings: [ConfigurationProblem] {
    (readingWarnings + strayBeacons + hiddenBeacons + crowdedBeacons + unreachablePlaces + islands + nodeIslands + wrongLengths
      + openBarriers + overlaps + ordinalGaps + untranslated + invisibleCharacters + displacedPictures + brokenPromises + poorSurvey)
      .enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(\.element)
  }

  /// The distance in metres from the walkable area at which a beacon still hangs on its wall.
  private static let mostWall = 1.0
  /// The maximum number of warnings of a kind.
  private static let most = 10

  func warning(_ line: SourceLine?, _ message: String) -> ConfigurationProblem {
    ConfigurationProblem(file: file, line: line?.number, column: nil, message: message)
  }

  /// Returns the first warnings; the last one says how many more there are.
  func limited(_ warnings: [ConfigurationProblem], _ things: String) -> [ConfigurationProblem] {
    guard warnings.count > Self.most else { return warnings }
    return warnings.prefix(Self.most - 1) + [
      ConfigurationProblem(
        file: file, line: warnings[Self.most - 1].line, column: nil, message: "and \(warnings.count - Self.most + 1) more \(things)")
    ]
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

  /// The distance in metres from the line of a wall at which a beacon hangs in the wall and not on it.
  private static let insideWall = 0.02

  private var hiddenBeacons: [ConfigurationProblem] {
    let walls = Dictionary(grouping: venue.walls.filter { $0.attenuation > 0 }, by: \.level)
    return limited(
      venue.beacons.indices.compactMap { index in
        let beacon = venue.beacons[index]
        let isInside = (walls[beacon.level] ?? []).contains {
          PlanSegment(from: $0.from, to: $0.to).distance(to: beacon.position) < Self.insideWall
        }
        guard isInside else { return nil }
        return warning(
          lines.beacons[index],
          "beacon \(beacon.identity.major)/\(beacon.identity.minor): position: \(beacon.position.text) is in a wall, which attenuates its signal "
            + "on both sides; move it 0.1 m to the side where it hangs")
      }, "beacons in walls")
  }

  private var crowdedBeacons: [ConfigurationProblem] {
    guard venue.hasBeaconsInOneSpot, let first = venue.beacons.first else { return [] }
    return [
      warning(
        lines.beacons[0],
        "beacon \(first.identity.major)/\(first.identity.minor): position: all \(venue.beacons.count) beacons are in one spot, "
          + "\(first.position.text), so that the venue has no positions; write where each of them hangs")
    ]
  }

  /// The distance in metres between a place and the floor in front of it.
  private static let mostReach = 2.0

  private var unreachablePlaces: [ConfigurationProblem] {
    let levels = Dictionary(venue.levels.map { ($0.id, $0) }) { first, _ in first }
    return limited(
      venue.places.indices.compactMap { index in
        let place = venue.places[index]
        guard let level = levels[place.level], !level.isReachable(place, within: Self.mostReach) else { return nil }
        return warning(
          lines.places[index],
          "place \(place.id.quoted): position: \(place.position.text) is more than \(Int(Self.mostReach)) m from the floor that visitors can walk on; "
            + "correct the position, the level, or the areas of level \(place.level.quoted)")
      }, "places that visitors cannot reach")
  }

  // MARK: The survey

  /// Warnings about a survey that cannot improve positions.
  private var poorSurvey: [ConfigurationProblem] {
    guard let survey = venue.survey else { return [] }
    var found: [ConfigurationProblem] = []
    if survey.unknownBeacons > 0 {
      found.append(
        warning(
          lines.survey,
          "survey: \(survey.file) has beacons that the venue does not have, and their \(survey.unknownBeacons) lines are ignored; add a [[beacon]] for "
            + "each of them"))
    }
    let stray = Self.strayPlaces(survey, venue)
    if let first = stray.first {
      found.append(
        warning(
          lines.survey,
          "survey: \(survey.file) has places (\(stray.count)) that are more than \(Int(Self.mostReach)) m outside the walkable areas of their level, the "
            + "first at \(first.text); correct x_m and y_m, the level or the areas"))
    }
    let levels = Set(survey.readings.map(\.level))
    let area = venue.levels.filter { levels.contains($0.id) }.reduce(0) { sum, level in
      sum + level.walkable.reduce(0) { $0 + $1.area } - level.voids.reduce(0) { $0 + $1.area }
    }
    let wanted = Int((area / VenueSurvey.areaOfPlace).rounded(.up))
    if survey.places < wanted {
      found.append(
        warning(
          lines.survey,
          "survey: \(survey.file) has fewer places (\(survey.places)) than the \(wanted) that \(Int(area)) m\u{B2} need, so positions can become worse than without it; "
            + "survey more places, or remove the key"))
    }
    return found
  }

  /// Returns the places of a survey that are far from the walkable areas of their level, in the order of the file.
  private static func strayPlaces(_ survey: VenueSurvey, _ venue: Venue) -> [PlanPoint] {
    let readings = Dictionary(grouping: survey.readings, by: \.level)
    return venue.levels.flatMap { level -> [PlanPoint] in
      guard !level.walkable.isEmpty, let here = readings[level.id] else { return [] }
      var seen: Set<PlanPoint> = []
      return here.map(\.point).filter { point in
        seen.insert(point).inserted && !level.walkable.contains { $0.isNear(point, within: mostReach) }
      }
    }
  }

  // MARK: Accuracy

  /// Warnings about levels with too few beacons for the promised accuracy.
  private var brokenPromises: [ConfigurationProblem] {
    guard let promise = venue.accuracy else { return [] }
    return venue.levels.indices.compactMap { index in
      let level = venue.levels[index]
      let map = PositionErrorMap(venue, level)
      guard let failure = map.failure(of: promise), failure.share >= Self.negligibleShare else { return nil }
      func metres(_ value: Double?) -> String { value.map { "\(($0 * 10).rounded() / 10) m" } ?? "no position" }
      let failing = venue.places.filter { $0.level == level.id && (map.radius(at: $0.position) ?? .infinity) > promise }
      let names = failing.prefix(4).map { "\($0.id.quoted) (\(metres(map.radius(at: $0.position))))" }.joined(separator: ", ")
      let more = failing.count > 4 ? " and \(failing.count - 4) more" : ""
      let places = failing.isEmpty ? "" : ", and at the places \(names)\(more)"
      let share = max(1, Int((failure.share * 100).rounded()))
      return warning(
        lines.levels[index],
        "level \(level.id.quoted): has too few beacons for the promised accuracy of \(metres(promise)): \(share) % of it is worse, "
          + "\(metres(failure.worst.radius)) at \(failure.worst.point.text)\(places); add beacons there, or promise less")
    }
  }

  /// The share of a level that may break the promise without a warning, such as corners.
  private static let negligibleShare = 0.02

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

  /// One warning for each group of nodes without a way to the others.
  private var nodeIslands: [ConfigurationProblem] {
    limited(
      venue.connectedNodes.dropFirst().map { group in
        let node = venue.nodes[group[0]]
        let members = group.count == 1 ? "" : " and \(group.count - 1) more"
        return warning(
          lines.nodes[group[0]],
          "node \(node.id.quoted)\(members): is an island, no way leads to the other nodes; add an [[edge]] or a [[lift]]")
      }, "islands of nodes")
  }

  /// Warnings about edges whose length the straight line does not allow.
  private var wrongLengths: [ConfigurationProblem] {
    limited(
      venue.doubtfulLengths.map { doubt in
        let edge = venue.edges[doubt.edge]
        func metres(_ value: Double) -> String { "\((value * 10).rounded() / 10) m" }
        let remark =
          doubt.isTooShort
          ? "is shorter than the straight line of \(metres(doubt.straight)), which counts instead"
          : "is more than ten times the straight line of \(metres(doubt.straight))"
        return warning(
          lines.edges[doubt.edge],
          "edge from \(edge.from.quoted) to \(edge.to.quoted): length: \(metres(doubt.length)) \(remark); correct the length or the nodes")
      }, "edges of a wrong length")
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
        lines.places[first], "place \(names)\(more): title: has no text in \(language.quoted), unlike other titles of the venue; add it")
    }
  }
}

extension VenueLevel {
  /// Whether visitors can come close to a place. Everything is reachable on a level without walkable areas.
  fileprivate func isReachable(_ place: Place, within metres: Double) -> Bool {
    guard !walkable.isEmpty else { return true }
    if isWalkable(place.position) == true { return true }
    let isNear = walkable.contains { $0.isNear(place.position, within: metres) }
    // In a void, such as on a table, the floor must be near.
    return isNear && voids.allSatisfy { !$0.contains(place.position) || $0.distanceToEdge(from: place.position) <= metres }
  }
}
