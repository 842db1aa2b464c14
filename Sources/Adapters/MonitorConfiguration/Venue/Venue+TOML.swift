import Beacons
import Geodesy
import Instants
import Venues

extension Venue {
  /// The text of a venue file that reads as this venue.
  ///
  /// The same venue gives the same text. Values equal to the defaults of the format are omitted.
  public var toml: String { VenueWriter(self).text }
}

/// Writes a venue file table by table.
private struct VenueWriter {
  private let venue: Venue
  private var lines: [String] = []

  init(_ venue: Venue) { self.venue = venue }

  var text: String {
    var writer = self
    writer.writeTop()
    for level in venue.levels { writer.write(level) }
    for wall in venue.walls { writer.write(wall) }
    for beacon in venue.beacons { writer.write(beacon) }
    for place in venue.places { writer.write(place) }
    for node in venue.nodes { writer.write(node) }
    for edge in venue.edges { writer.write(edge) }
    for lift in venue.lifts { writer.write(lift) }
    for appointment in venue.appointments { writer.write(appointment) }
    return writer.lines.joined(separator: "\n") + "\n"
  }

  // MARK: Lines

  private mutating func open(_ header: String) { lines += ["", header] }

  private mutating func add(_ key: String, _ value: String?) {
    if let value { lines.append("\(key) = \(value)") }
  }

  private mutating func comment(_ text: String) { lines.append("# \(text)") }

  /// Adds the level of a part, which a venue with one level does not need.
  private mutating func addLevel(_ level: String) {
    if venue.levels.count > 1 { add("level", level.asTOML) }
  }

  // MARK: Venue

  private mutating func writeTop() {
    comment("A venue of beaconmon. Positions are metres on the plan: x to the right, y up.")
    add("format", "\(VenueDocument.format)")
    add("id", venue.id.asTOML)
    add("name", venue.name.value)
    if let uuid = venue.uuids.first {
      let all = venue.uuids.map { "\"\($0)\"" }
      add("uuid", all.count == 1 ? "\"\(uuid)\"" : "[\(all.joined(separator: ", "))]")
    }
    if !venue.roles.isEmpty {
      let roles = venue.roles.sorted { $0.key < $1.key }.map { "\($0.value.asTOMLKey) = \($0.key)" }
      add("majors", "{ \(roles.joined(separator: ", ")) }")
    }
    add("accuracy", venue.accuracy?.text)
    add("survey", venue.survey?.file.asTOML)
    if !venue.calendars.isEmpty { add("calendar", "[\(venue.calendars.map(\.asTOML).joined(separator: ", "))]") }
    if venue.isImported {
      comment("Launches nothing until the user allows it with `beaconmon venue allow`, or this line is removed.")
      add("imported", "true")
    }
    if let frame = venue.frame {
      open("[frame]")
      comment("The point [0, 0], and the direction of y in degrees clockwise from north.")
      add("latitude", frame.origin.latitude.text)
      add("longitude", frame.origin.longitude.text)
      add("bearing", frame.bearing.text)
      add("radius", venue.radius?.text)
    }
    if let nearby = venue.nearby { write(nearby) }
  }

  private mutating func write(_ nearby: VenueOffer) {
    open("[nearby]")
    switch nearby.app {
    case .desktopFile(let id): add("app", "\(id).desktop".asTOML)
    case .busName(let name, let action):
      add("bus-name", name.asTOML)
      add("action", action?.asTOML)
    case .page, nil: break
    }
    add("url", nearby.page?.asTOML)
    add("title", nearby.title.value)
    add("text", nearby.text.value)
  }

  private mutating func write(_ level: VenueLevel) {
    open("[[level]]")
    add("id", level.id.asTOML)
    add("ordinal", "\(level.ordinal)")
    add("name", level.name.value)
    add("short-name", level.shortName.value)
    if let picture = level.picture {
      add("plan", "{ image = \(picture.image.asTOML), size = [\(picture.width), \(picture.height)] }")
      if let transform = picture.transform {
        if transform.fit == .affine { add("fit", "\"affine\"") }
        lines.append("anchors = [")
        for anchor in transform.anchors {
          lines.append(
            "  { pixel = \(anchor.point.value), latitude = \(anchor.coordinate.latitude.text), longitude = \(anchor.coordinate.longitude.text) },"
          )
        }
        lines.append("]")
      }
    }
    addAreas("walkable", level.walkable)
    addAreas("voids", level.voids)
    if level.wheelchair != .unknown { add("wheelchair", level.wheelchair.rawValue.asTOML) }
  }

  private mutating func addAreas(_ key: String, _ areas: [PlanPolygon]) {
    guard !areas.isEmpty else { return }
    lines.append("\(key) = [")
    for area in areas { lines.append("  \(area.value),") }
    lines.append("]")
  }

  private mutating func write(_ wall: VenueWall) {
    open("[[wall]]")
    addLevel(wall.level)
    add("from", wall.from.value)
    add("to", wall.to.value)
    add("attenuation", wall.attenuation.text)
  }

  // MARK: Beacons and places

  private mutating func write(_ beacon: PlannedBeacon) {
    open("[[beacon]]")
    if beacon.identity.uuid != venue.uuids.first { add("uuid", "\"\(beacon.identity.uuid)\"") }
    add("major", "\(beacon.identity.major)")
    add("minor", "\(beacon.identity.minor)")
    addLevel(beacon.level)
    add("position", beacon.position.value)
    add("height", beacon.height?.text)
    add("power", beacon.power?.text)
    add("name", beacon.name?.asTOML)
  }

  private mutating func write(_ place: Place) {
    open("[[place]]")
    add("id", place.id.asTOML)
    if place.kind != .other { add("kind", place.kind.rawValue.asTOML) }
    addLevel(place.level)
    add("position", place.position.value)
    add("area", place.area?.value)
    add("radius", place.radius?.text)
    add("beacon", place.beacon.map { "[\($0.major), \($0.minor)]" })
    if place.isLandmark { add("landmark", "true") }
    add("title", place.title.value)
    add("text", place.text.value)
    if !place.links.isEmpty { add("links", "[\(place.links.map(\.value).joined(separator: ", "))]") }
    add("image", place.image?.asTOML)
    add("audio", place.audio.value)
  }

  // MARK: Routes

  private mutating func write(_ node: RouteNode) {
    open("[[node]]")
    add("id", node.id.asTOML)
    addLevel(node.level)
    add("position", node.position.value)
    add("place", node.place?.asTOML)
    if node.isDoor { add("door", "true") }
  }

  private mutating func write(_ edge: RouteEdge) {
    open("[[edge]]")
    add("from", edge.from.asTOML)
    add("to", edge.to.asTOML)
    if edge.kind != .walk { add("kind", edge.kind.rawValue.asTOML) }
    if !edge.isTwoWay { add("two-way", "false") }
    if edge.wheelchair != .unknown { add("wheelchair", edge.wheelchair.rawValue.asTOML) }
    add("length", edge.length?.text)
    add("time", edge.time.map { "\"\($0.text)\"" })
    add("steps", edge.steps.map { "\($0)" })
    add("slope", edge.slope?.text)
    add("width", edge.width?.text)
    if edge.isClosed { add("closed", "true") }
  }

  private mutating func write(_ lift: RouteLift) {
    open("[[lift]]")
    add("id", lift.id.asTOML)
    add("stops", "[\(lift.stops.map(\.asTOML).joined(separator: ", "))]")
    add("board", "\"\(lift.boardTime.text)\"")
    add("each-level", "\"\(lift.levelTime.text)\"")
    if lift.wheelchair != .unknown { add("wheelchair", lift.wheelchair.rawValue.asTOML) }
    if lift.isClosed { add("closed", "true") }
  }

  private mutating func write(_ appointment: Appointment) {
    open("[[appointment]]")
    add("title", appointment.title.value)
    add("at", appointment.at.rfc3339)
    add("place", appointment.place.asTOML)
    add("margin", "\"\(appointment.margin.text)\"")
  }
}

// MARK: - Values

extension Double {
  /// The shortest text that reads as the same number.
  fileprivate var text: String {
    guard let integer = Int(exactly: self), abs(self) < 1e15 else { return "\(self)" }
    return "\(integer)"
  }
}

extension PlanPoint {
  fileprivate var value: String { "[\(x.text), \(y.text)]" }
}

extension PlanPolygon {
  /// The outline; a venue file has no holes.
  fileprivate var value: String { "[\(ring.map(\.value).joined(separator: ", "))]" }
}

extension LocalizedText {
  /// A text, or a table by language; nil without any text.
  fileprivate var value: String? {
    guard let first = versions.first else { return nil }
    if versions.count == 1, first.language.isEmpty { return first.text.asTOML }
    let pairs = versions.filter { !$0.language.isEmpty }.map { "\($0.language.asTOMLKey) = \($0.text.asTOML)" }
    return "{ \(pairs.joined(separator: ", ")) }"
  }
}

extension Place.Link {
  fileprivate var value: String {
    title.value.map { "{ url = \(address.asTOML), title = \($0) }" } ?? address.asTOML
  }
}
