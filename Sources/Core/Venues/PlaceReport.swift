import Beacons
import Geodesy
public import Records

/// A place as clients see it, in their language.
public struct PlaceReport: RecordRepresentable, Hashable {
  public var id: String?
  /// The id of the venue.
  public var venue: String?
  public var kind: Place.Kind?
  /// The title in the client's language, or the id.
  public var title: String?
  /// The id of the level.
  public var level: String?
  /// The ordinal of the level.
  public var floor: Int64?
  /// The point on the plan in metres.
  public var x: Double?
  public var y: Double?
  public var latitude: Double?
  public var longitude: Double?
  /// Metres from the point that a client asks for.
  public var distance: Double?
  /// The distance in metres within which a visitor is at the place.
  public var radius: Double?
  /// The beacon that stands for the place.
  public var uuid: BeaconUUID?
  public var major: UInt16?
  public var minor: UInt16?
  public var isLandmark: Bool?
  /// The outline of its area.
  public var area: [PointReport]?
  public var text: String?
  public var links: [LinkReport]?
  public var image: String?
  public var audio: String?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("id", \.id),
    RecordField("venue", \.venue),
    RecordField("kind", \.kind),
    RecordField("title", \.title),
    RecordField("level", \.level),
    RecordField("floor", \.floor),
    RecordField("x", \.x, decimals: 3),
    RecordField("y", \.y, decimals: 3),
    RecordField("latitude", \.latitude, decimals: 7),
    RecordField("longitude", \.longitude, decimals: 7),
    RecordField("distance", \.distance, decimals: 2),
    RecordField("radius", \.radius, decimals: 2),
    RecordField("uuid", \.uuid),
    RecordField("major", \.major),
    RecordField("minor", \.minor),
    RecordField("landmark", \.isLandmark),
    RecordField("area", \.area),
    RecordField("text", \.text),
    RecordField("links", \.links),
    RecordField("image", \.image),
    RecordField("audio", \.audio),
  ]
}

/// A link of a place.
public struct LinkReport: RecordRepresentable, Hashable {
  public var address: String?
  public var title: String?

  public init() {}

  public static let fields: [RecordField<Self>] = [RecordField("url", \.address), RecordField("title", \.title)]
}

/// A point of a plan, or of the earth.
public struct PointReport: RecordRepresentable, Hashable {
  public var x: Double?
  public var y: Double?
  public var latitude: Double?
  public var longitude: Double?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("x", \.x, decimals: 3),
    RecordField("y", \.y, decimals: 3),
    RecordField("latitude", \.latitude, decimals: 7),
    RecordField("longitude", \.longitude, decimals: 7),
  ]
}

extension Place.Kind: RecordFieldValue {}

extension PointReport {
  init(_ point: PlanPoint) {
    (x, y) = (point.x, point.y)
  }
}

extension Catalogue.Found {
  /// Returns the place in the reader's language.
  ///
  /// - Parameters:
  ///   - isWhole: whether to include the area, the text, the links and the media.
  ///   - hasArea: whether to include the area.
  public func report(of catalogue: Catalogue, preferring languages: [String], isWhole: Bool, hasArea: Bool = false) -> PlaceReport {
    let venue = catalogue.venues[venue]
    var report = PlaceReport()
    (report.id, report.venue, report.kind) = (place.id, venue.id, place.kind)
    report.title = place.name(preferring: languages)
    (report.level, report.floor) = (place.level, venue.level(place.level).map { Int64($0.ordinal) })
    (report.x, report.y) = (place.position.x, place.position.y)
    if let coordinate = venue.frame?.coordinate(for: place.position) {
      (report.latitude, report.longitude) = (coordinate.latitude, coordinate.longitude)
    }
    (report.distance, report.radius) = (distance, place.radius)
    if let beacon = place.beacon { (report.uuid, report.major, report.minor) = (beacon.uuid, beacon.major, beacon.minor) }
    report.isLandmark = place.isLandmark
    guard isWhole || hasArea else { return report }
    report.area = place.area.map { $0.ring.map(PointReport.init) }
    guard isWhole else { return report }
    report.text = place.text.text(preferring: languages)
    report.links = place.links.isEmpty ? nil : place.links.map { LinkReport($0, preferring: languages) }
    (report.image, report.audio) = (place.image, place.audio.text(preferring: languages))
    return report
  }
}

extension LinkReport {
  fileprivate init(_ link: Place.Link, preferring languages: [String]) {
    (address, title) = (link.address, link.title.text(preferring: languages))
  }
}
