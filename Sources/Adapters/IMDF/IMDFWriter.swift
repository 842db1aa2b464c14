import Beacons
import Geodesy
import Venues

/// Writes the features of an archive, the referenced ones before those that refer to them.
struct IMDFWriter {
  let venue: Venue
  let frame: VenueFrame
  let options: IMDFExport.Options
  /// The language of texts without one.
  let language: String
  var features: [String: [JSONValue]] = [:]
  var notes = NoteList()
  private var ids: IMDFIdentifiers
  /// The id of the level's feature by the level's id.
  private(set) var levels: [String: String] = [:]
  /// The ids of the units of a level, with their areas.
  private var units: [String: [(id: String, area: PlanPolygon)]] = [:]

  init(_ venue: Venue, _ frame: VenueFrame, _ options: IMDFExport.Options) {
    self.venue = venue
    self.frame = frame
    self.options = options
    let first = ([venue.name] + venue.levels.map(\.name) + venue.places.map(\.title)).lazy.flatMap(\.languages).first { !$0.isEmpty }
    language = options.language ?? first ?? "en"
    ids = IMDFIdentifiers(venue: venue.id)
  }

  mutating func write() {
    writeVenue()
    for level in venue.levels { writeLevel(level) }
    writePlaces()
    writeRoutes()
    writeBeaconsAndWalls()
    for level in venue.levels {
      if let picture = level.picture { notes.omit("level \(level.id): the picture \(picture.image) and its anchors") }
    }
    if let survey = venue.survey { notes.omit("the survey \(survey.file)") }
    if !venue.appointments.isEmpty { notes.omit("\(venue.appointments.count) appointments") }
  }

  /// Returns the id of a feature: that of the part if it is a UUID, and otherwise one that the same part always has.
  mutating func id(_ kind: String, _ name: String) -> String { ids.id(kind, name) }

  mutating func add(
    _ type: String, id: String, _ geometry: JSONValue, _ properties: [String: JSONValue], _ additions: [String: JSONValue] = [:]
  ) {
    var properties = properties
    if !additions.isEmpty { properties[IMDFFormat.property] = .object(additions) }
    features[type, default: []].append(
      .object([
        "type": .text("Feature"), "feature_type": .text(type), "id": .text(id), "geometry": geometry, "properties": .object(properties),
      ]))
  }

  // MARK: Venue and levels

  private mutating func writeVenue() {
    let outline = self.outline(of: PlanOutline(venue.levels.flatMap { PlanOutline.points(of: venue, onLevel: $0.id) }))
    let building = id("building", "")
    let addressID = options.address.map { address in
      let id = id("address", "")
      add(
        "address", id: id, .null,
        [
          "address": .text(address.street), "locality": .text(address.locality), "country": .text(address.country), "unit": .null,
          "province": .null, "postal_code": .null, "postal_code_ext": .null, "postal_code_vanity": .null,
        ])
      return id
    }
    if addressID == nil {
      notes.warn("no address, which the standard requires; --address, --locality and --country add one", file: "venue" + IMDFFormat.suffix)
    }
    var additions: [String: JSONValue] = [
      "id": .text(venue.id), "uuids": .list(venue.uuids.map { .text($0.description) }),
      "frame": .object([
        "latitude": .number(frame.origin.latitude), "longitude": .number(frame.origin.longitude), "bearing": .number(frame.bearing),
      ]),
    ]
    if let accuracy = venue.accuracy { additions["accuracy"] = .number(accuracy) }
    if !venue.roles.isEmpty {
      additions["majors"] = .object(Dictionary(venue.roles.map { ($0.value, .number(Double($0.key))) }) { first, _ in first })
    }
    if venue.name.isEmpty { additions["generated"] = .list([.text("name")]) }
    if let nearby = venue.nearby { additions["nearby"] = value(of: nearby) }
    add(
      "venue", id: id("venue", venue.id), outline.geometry,
      [
        "category": .text(category), "restriction": .null, "name": labels(venue.name, or: venue.id), "alt_name": .null, "hours": .null,
        "phone": .null, "website": venue.nearby?.page.map { .text($0) } ?? .null, "display_point": outline.display,
        "address_id": addressID.map { .text($0) } ?? .null,
      ], additions)
    add(
      "building", id: building, .null,
      [
        "category": .text("unspecified"), "restriction": .null, "name": labels(venue.name, or: venue.id), "alt_name": .null,
        "display_point": outline.display, "address_id": addressID.map { .text($0) } ?? .null,
      ])
    add(
      "footprint", id: id("footprint", ""), outline.geometry,
      ["category": .text("ground"), "name": .null, "building_ids": .list([.text(building)])])
  }

  /// Returns the app and the texts of an offer; its page is the website.
  private func value(of nearby: VenueOffer) -> JSONValue {
    var values: [String: JSONValue] = [:]
    switch nearby.app {
    case .desktopFile(let id): values["app"] = .text(id)
    case .busName(let name, let action): (values["busName"], values["action"]) = (.text(name), action.map { .text($0) })
    case .page, nil: break
    }
    if !nearby.title.isEmpty { values["title"] = labels(nearby.title) }
    if !nearby.text.isEmpty { values["text"] = labels(nearby.text) }
    return .object(values)
  }

  /// The category of the venue, by its places unless it is stated.
  private var category: String {
    if let category = options.category { return category }
    func count(_ kinds: Place.Kind...) -> Int { venue.places.count { kinds.contains($0.kind) } }
    let (exhibits, shops, gates) = (count(.exhibit, .story), count(.shop, .food), count(.gate))
    return gates > exhibits && gates > shops ? "transitstation" : shops > exhibits ? "shoppingcenter" : "museum"
  }

  private mutating func writeLevel(_ level: VenueLevel) {
    let outline = PlanOutline(PlanOutline.points(of: venue, onLevel: level.id))
    let shape = self.outline(of: outline)
    let levelID = id("level", level.id)
    levels[level.id] = levelID
    var made: [JSONValue] = []
    if level.name.isEmpty { made.append(.text("name")) }
    if level.shortName.isEmpty { made.append(.text("short_name")) }
    var additions: [String: JSONValue] = ["id": .text(level.id)]
    if !made.isEmpty { additions["generated"] = .list(made) }
    if level.wheelchair != .unknown { additions["wheelchair"] = .text(level.wheelchair.rawValue) }
    add(
      "level", id: levelID, shape.geometry,
      [
        "category": .text("unspecified"), "restriction": .null, "outdoor": .flag(false), "ordinal": .number(Double(level.ordinal)),
        "name": labels(level.name, or: "\(level.ordinal)"), "short_name": labels(level.shortName, or: "\(level.ordinal)"),
        "display_point": shape.display, "address_id": .null, "building_ids": .list([.text(ids.id("building", ""))]),
      ], additions)
    for (index, area) in level.walkable.enumerated() {
      let unit = id("walkable", "\(level.id)/\(index)")
      units[level.id, default: []].append((unit, area))
      writeUnit(unit, "walkway", area, levelID)
    }
    for (index, area) in level.voids.enumerated() { writeUnit(id("void", "\(level.id)/\(index)"), "opentobelow", area, levelID) }
    if level.walkable.isEmpty {
      // Amenities and anchors must lie in a unit.
      let unit = id("outline", level.id)
      units[level.id] = [(unit, outline.polygon)]
      writeUnit(unit, "unspecified", outline.polygon, levelID, ["role": .text("outline")])
    }
  }

  private mutating func writeUnit(
    _ id: String, _ category: String, _ area: PlanPolygon, _ level: String, _ additions: [String: JSONValue] = [:]
  ) {
    add(
      "unit", id: id, polygon(area),
      [
        "category": .text(category), "restriction": .null, "accessibility": .null, "name": .null, "alt_name": .null,
        "level_id": .text(level), "display_point": position(area.innerPoint),
      ], additions)
  }

  /// Returns the id of the unit around a point, or of the nearest one.
  func unit(at point: PlanPoint, onLevel level: String) -> String? {
    let candidates = units[level] ?? []
    if let around = candidates.first(where: { $0.area.contains(point) }) { return around.id }
    return candidates.min { $0.area.distanceToEdge(from: point) < $1.area.distanceToEdge(from: point) }?.id
  }

  private func outline(of outline: PlanOutline) -> (geometry: JSONValue, display: JSONValue) {
    (polygon(outline.polygon), position(outline.polygon.innerPoint))
  }
}

// MARK: - Values

extension IMDFWriter {
  /// Returns labels by language; a text without a language has the default one.
  func labels(_ text: LocalizedText, or name: String) -> JSONValue {
    let labels = self.labels(text)
    return labels.isNull ? .object([language: .text(name)]) : labels
  }

  /// Returns labels by language; null without any text.
  func labels(_ text: LocalizedText) -> JSONValue {
    guard !text.isEmpty else { return .null }
    let pairs = text.versions.map { ($0.language.isEmpty ? language : $0.language, JSONValue.text($0.text)) }
    return .object(Dictionary(pairs) { first, _ in first })
  }

  func position(_ point: PlanPoint) -> JSONValue { .object(["type": .text("Point"), "coordinates": frame.degrees(of: point)]) }

  func polygon(_ area: PlanPolygon) -> JSONValue { frame.geometry(of: area) }
}

extension VenueFrame {
  /// The longitude and the latitude to seven decimals.
  func degrees(of point: PlanPoint) -> JSONValue {
    // A plan of at most 10 km always has a coordinate.
    let coordinate = coordinate(for: point) ?? origin
    return .list([.number(coordinate.longitude.degrees7), .number(coordinate.latitude.degrees7)])
  }

  /// A polygon whose outline runs counterclockwise and whose holes run clockwise (RFC 7946, 3.1.6).
  func geometry(of area: PlanPolygon) -> JSONValue {
    let rings = [PlanOutline.turned(area.ring, isLeft: true)] + area.holes.map { PlanOutline.turned($0, isLeft: false) }
    let closed = rings.map { JSONValue.list(($0 + $0.prefix(1)).map(degrees)) }
    return .object(["type": .text("Polygon"), "coordinates": .list(closed)])
  }

  func line(_ points: [PlanPoint]) -> JSONValue {
    .object(["type": .text("LineString"), "coordinates": .list(points.map(degrees))])
  }
}
