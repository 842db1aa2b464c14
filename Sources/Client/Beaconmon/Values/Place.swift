internal import Beacons
import FoundationEssentials
internal import Venues

/// A place of a venue: an exhibit, a shop, a gate. Texts are in the language of the `VenueDirectory`.
public struct Place: Hashable, Sendable, Identifiable {
  /// The kinds of places; `other` also stands for kinds that this version does not know.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case exhibit, shop, room, gate, desk, entrance, exit, toilet, food, seat, stairs, lift, story, other
  }

  /// A page about a place.
  public struct Link: Hashable, Sendable {
    /// An address that begins with `https://`.
    public let address: String
    public let title: String?
  }

  /// The identity of a place among those of all venues.
  public struct ID: Hashable, Sendable {
    public let venue: String
    public let placeID: String
  }

  /// The id of the place in its venue.
  public let placeID: String
  /// The id of the venue.
  public let venue: String
  public let kind: Kind
  /// The title, or the id of a place without one.
  public let title: String
  /// The id of the level.
  public let level: String
  /// The floor; 0 is the ground floor.
  public let floor: Int?
  /// The point on the plan of the venue, in metres with y up.
  public let point: FloorPlan.Point
  /// The coordinate; nil if the location of the venue on the earth is unknown.
  public let coordinate: LocationCoordinate2D?
  /// The distance in metres on the plan from the requested point; nil if none was requested.
  public let distance: Double?
  /// The distance in metres within which a visitor is at the place; nil if the venue does not say.
  public let radius: Double?
  /// The beacon that stands for the place.
  public let beacon: BeaconIdentityCondition?
  /// True if visitors recognise the place, so that directions may mention it.
  public let isLandmark: Bool
  /// The outline of the area on the plan; empty for a point, and in lists of places.
  public let area: [FloorPlan.Point]
  /// The description; nil in lists of places.
  public let text: String?
  /// Pages about the place; empty in lists of places.
  public let links: [Link]
  /// A file on this machine or an address that begins with `https://`; nil in lists of places.
  public let image: String?
  /// The commentary, in the same form as the image.
  public let audio: String?

  public var id: ID { ID(venue: venue, placeID: placeID) }
}

extension Place {
  /// Creates a place; nil if its identity or its point is incomplete.
  init?(_ report: PlaceReport) {
    guard let id = report.id, let venue = report.venue, let x = report.x, let y = report.y else { return nil }
    placeID = id
    self.venue = venue
    kind = report.kind.flatMap { Kind(rawValue: $0.rawValue) } ?? .other
    title = report.title ?? id
    level = report.level ?? ""
    floor = report.floor.flatMap { Int(exactly: $0) }
    point = FloorPlan.Point(x: x, y: y)
    coordinate = LocationCoordinate2D(report.latitude, report.longitude)
    distance = report.distance
    radius = report.radius
    beacon = BeaconIdentityCondition(report.uuid, report.major, report.minor)
    isLandmark = report.isLandmark ?? false
    area = FloorPlan.Point.list(report.area)
    text = report.text
    links = (report.links ?? []).compactMap { link in link.address.map { Link(address: $0, title: link.title) } }
    image = report.image
    audio = report.audio
  }
}

extension FloorPlan.Point {
  static func list(_ reports: [PointReport]?) -> [FloorPlan.Point] {
    (reports ?? []).compactMap { report in report.x.flatMap { x in report.y.map { FloorPlan.Point(x: x, y: $0) } } }
  }
}

extension LocationCoordinate2D {
  init?(_ latitude: Double?, _ longitude: Double?) {
    guard let latitude, let longitude else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

extension BeaconIdentityCondition {
  fileprivate init?(_ uuid: BeaconUUID?, _ major: UInt16?, _ minor: UInt16?) {
    guard let uuid, let major, let minor else { return nil }
    self.init(uuid: UUID(uuid), major: major, minor: minor)
  }
}
