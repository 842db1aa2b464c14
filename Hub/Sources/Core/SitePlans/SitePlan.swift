public import Records
public import Venues

/// The venue of a site as the page of the hub draws it: its levels, in metres of the plan.
///
/// It has what a plan of a device's page has, and the places. Names are in all their languages, because each reader has another one.
/// Pictures are left out, because their files are not at the hub, and so are the identities of beacons: an erased tag must not remain in a
/// plan.
public struct SitePlan: Hashable, Sendable {
  /// The maximum number of octets of a plan as JSON.
  public static let mostOctets = 8 << 20

  /// The id of the venue.
  public let venue: String
  /// The levels, the lowest first.
  public let levels: [Record]

  public init(_ venue: Venue) {
    self.venue = venue.id
    levels = venue.levels.sorted { $0.ordinal < $1.ordinal }.map { venue.plan(of: $0) }
  }

  /// Creates a plan from its stored levels, of which each is a JSON object.
  public init(venue: String, levels: [String]) throws(JSONError) {
    self.venue = venue
    var records: [Record] = []
    for level in levels { records.append(try Record(json: level)) }
    self.levels = records
  }

  /// The levels as a JSON array.
  public var json: String { "[\(levels.map(\.json).joined(separator: ","))]" }

  /// Returns the rooms of devices that no place of the venue has as its id or as its title in any language, in their order.
  public func missing(_ rooms: [String]) -> [String] {
    let names = Set(places.flatMap { $0["rooms"]?.list ?? [] }.compactMap { $0["name"]?.text })
    return rooms.filter { !names.contains($0.asRoomName) }
  }

  /// The plan in one line, such as `venue gallery: 1 level, 12 beacons, 8 places`.
  public var summary: String {
    let beacons = levels.reduce(0) { $0 + ($1["beacons"]?.list?.count ?? 0) }
    let counts = [Count.text(levels.count, "level"), Count.text(beacons, "beacon"), Count.text(places.count, "place")]
    return "venue \(venue): \(counts.joined(separator: ", "))"
  }

  private var places: [Record] { levels.flatMap { $0["places"]?.list ?? [] } }

  /// Returns why the hub cannot store the plan; nil if it can.
  public var fault: String? {
    json.utf8.count <= Self.mostOctets
      ? nil : "the plan has more than \(Self.mostOctets >> 20) MiB; remove beacons or corners of areas, or divide the venue"
  }
}

extension Venue {
  fileprivate func plan(of level: VenueLevel) -> Record {
    var report = report(of: level, preferring: [])
    (report.venueName, report.name, report.shortName) = (nil, nil, level.shortName.text)
    report.beacons = report.beacons?.map { beacon in
      var place = PlannedBeaconReport()
      (place.x, place.y) = (beacon.x, beacon.y)
      return place
    }
    (report.image, report.width, report.height, report.corners) = (nil, nil, nil, nil)
    var record = report.record
    record.append("names", level.name.record)
    record.append("places", .list(places.filter { $0.level == level.id }.map(\.plan)))
    return record
  }
}

extension Place {
  fileprivate var plan: Record {
    Record([
      "id": .text(id), "kind": .text(kind.rawValue), "names": title.record, "rooms": .list(roomNames.map { Record(["name": .text($0)]) }),
      "x": .quantity(position.x, decimals: 3), "y": .quantity(position.y, decimals: 3),
      "radius": area == nil ? .quantity(radius ?? Self.usualRadius, decimals: 2) : nil,
      "area": area.map { area in
        .list(area.ring.map { Record(["x": .quantity($0.x, decimals: 3), "y": .quantity($0.y, decimals: 3)]) })
      },
    ])
  }

  /// The names of a room that is this place.
  fileprivate var roomNames: [String] {
    var names: [String] = []
    for name in ([id] + title.versions.map(\.text)).map(\.asRoomName) where !names.contains(name) { names.append(name) }
    return names
  }
}

extension LocalizedText {
  fileprivate var record: RecordValue {
    .list(versions.map { Record(["language": .text($0.language), "text": .text($0.text)]) })
  }
}

extension String {
  /// The text in the form in which names of rooms are compared. The page does the same: `Hub/Web/hub/rooms.js`.
  fileprivate var asRoomName: String { lowercased() }
}
