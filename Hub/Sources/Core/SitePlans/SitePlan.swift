public import Records
public import Venues

/// The venue of a site as the page of the hub draws it: its levels, in metres of the plan.
///
/// Pictures are left out, because their files are not at the hub, and so are the identities of beacons: an erased tag must not remain in a
/// plan.
public struct SitePlan: Hashable, Sendable {
  /// The maximum number of octets of a plan as JSON.
  public static let mostOctets = 8 << 20

  /// The id of the venue.
  public let venue: String
  /// The levels, the lowest first.
  public let levels: [SiteLevelReport]

  public init(_ venue: Venue) {
    self.venue = venue.id
    levels = venue.levels.sorted { $0.ordinal < $1.ordinal }.map { SiteLevelReport($0, of: venue) }
  }

  /// Creates a plan from its stored levels, of which each is a JSON object.
  public init(venue: String, levels: [String]) throws(JSONError) {
    self.venue = venue
    self.levels = try levels.map { (level) throws(JSONError) in SiteLevelReport(try Record(json: level)) }
  }

  /// The levels as a JSON array.
  public var json: String { "[\(levels.map(\.record.json).joined(separator: ","))]" }

  /// Returns the rooms of devices that no place of the venue has as its id or as its title in any language, in their order.
  public func missing(_ rooms: [String]) -> [String] {
    let names = Set(places.flatMap { $0.rooms ?? [] }.compactMap(\.name))
    return rooms.filter { !names.contains($0.asRoomName) }
  }

  /// The plan in one line, such as `venue gallery: 1 level, 12 beacons, 8 places`.
  public var summary: String {
    let beacons = levels.reduce(0) { $0 + ($1.plan.beacons?.count ?? 0) }
    let counts = [Count.text(levels.count, "level"), Count.text(beacons, "beacon"), Count.text(places.count, "place")]
    return "venue \(venue): \(counts.joined(separator: ", "))"
  }

  private var places: [SitePlaceReport] { levels.flatMap { $0.places ?? [] } }

  /// Returns why the hub cannot store the plan; nil if it can.
  public var fault: String? {
    json.utf8.count <= Self.mostOctets
      ? nil : "the plan has more than \(Self.mostOctets >> 20) MiB; remove beacons or corners of areas, or divide the venue"
  }
}

extension SiteLevelReport {
  fileprivate init(_ level: VenueLevel, of venue: Venue) {
    plan = venue.report(of: level, preferring: [])
    (plan.venueName, plan.name, plan.shortName) = (nil, nil, level.shortName.text)
    plan.beacons = plan.beacons?.map { beacon in
      var place = PlannedBeaconReport()
      (place.x, place.y) = (beacon.x, beacon.y)
      return place
    }
    (plan.image, plan.width, plan.height, plan.corners) = (nil, nil, nil, nil)
    names = level.name.reports
    places = venue.places.filter { $0.level == level.id }.map { SitePlaceReport($0) }
  }
}

extension SitePlaceReport {
  fileprivate init(_ place: Place) {
    (id, kind, names) = (place.id, place.kind, place.title.reports)
    rooms = place.roomNames.map { name in
      var room = RoomNameReport()
      room.name = name
      return room
    }
    (x, y) = (place.position.x, place.position.y)
    radius = place.area == nil ? place.radius ?? Place.usualRadius : nil
    area = place.area?.ring.map { corner in
      var point = PointReport()
      (point.x, point.y) = (corner.x, corner.y)
      return point
    }
  }
}

extension Place {
  /// The names of a room that is this place.
  fileprivate var roomNames: [String] {
    var names: [String] = []
    for name in ([id] + title.versions.map(\.text)).map(\.asRoomName) where !names.contains(name) { names.append(name) }
    return names
  }
}

extension LocalizedText {
  fileprivate var reports: [LanguageTextReport] {
    versions.map { version in
      var report = LanguageTextReport()
      (report.language, report.text) = (version.language, version.text)
      return report
    }
  }
}

extension String {
  /// The text in the form in which names of rooms are compared. The page does the same: `Hub/Web/hub/rooms.js`.
  fileprivate var asRoomName: String { lowercased() }
}
