import Beacons
import Geodesy
import Venues

/// A venue as one FeatureCollection (RFC 7946), for programs that show maps.
///
/// The property `feature` of each feature names its part: `walkable`, `void`, `wall`, `beacon`, `place`, `node` or `edge`.
public enum VenueGeoJSON {
  /// Returns the text of a venue, with a feature on each line.
  ///
  /// - Throws: if the location of the venue on the earth is unknown.
  public static func text(of venue: Venue) throws(IMDFError) -> String {
    guard let frame = venue.frame else {
      throw .invalid(
        "the venue has no [frame]; add one with latitude, longitude and bearing, because GeoJSON has positions on the earth only")
    }
    var list = FeatureList(venue, frame)
    for level in venue.levels {
      for area in level.walkable { list.add("walkable", frame.geometry(of: area), level.id) }
      for area in level.voids { list.add("void", frame.geometry(of: area), level.id) }
    }
    for wall in venue.walls {
      list.add("wall", frame.line([wall.from, wall.to]), wall.level, ["attenuation": .number(wall.attenuation)])
    }
    for beacon in venue.beacons {
      var properties = beacon.identity.value.object ?? [:]
      properties["height"] = beacon.height.map { .number($0) }
      properties["power"] = beacon.power.map { .number($0) }
      properties["name"] = beacon.name.map { .text($0) }
      list.add("beacon", frame.point(beacon.position), beacon.level, properties)
    }
    for place in venue.places {
      var properties: [String: JSONValue] = ["id": .text(place.id), "kind": .text(place.kind.rawValue)]
      if !place.title.isEmpty { properties["title"] = list.texts(place.title) }
      if !place.text.isEmpty { properties["text"] = list.texts(place.text) }
      properties["radius"] = place.radius.map { .number($0) }
      list.add("place", place.area.map(frame.geometry) ?? frame.point(place.position), place.level, properties)
    }
    list.addRoutes()
    return String(decoding: IMDFExport.collection(of: list.features, "venue"), as: UTF8.self)
  }
}

private struct FeatureList {
  private let venue: Venue
  private let frame: VenueFrame
  private let ordinals: [String: Int]
  private(set) var features: [JSONValue] = []

  init(_ venue: Venue, _ frame: VenueFrame) {
    (self.venue, self.frame) = (venue, frame)
    ordinals = Dictionary(venue.levels.map { ($0.id, $0.ordinal) }) { first, _ in first }
  }

  /// - Parameter level: the id of the level; nil for a way between levels.
  mutating func add(_ name: String, _ geometry: JSONValue, _ level: String?, _ properties: [String: JSONValue] = [:]) {
    var properties = properties
    properties["feature"] = .text(name)
    properties["level"] = level.map { .text($0) }
    properties["floor"] = level.flatMap { ordinals[$0] }.map { .number(Double($0)) }
    features.append(.object(["type": .text("Feature"), "geometry": geometry, "properties": .object(properties)]))
  }

  mutating func addRoutes() {
    var nodes: [String: RouteNode] = [:]
    for node in venue.nodes {
      nodes[node.id] = node
      var properties: [String: JSONValue] = ["id": .text(node.id)]
      properties["place"] = node.place.map { .text($0) }
      add("node", frame.point(node.position), node.level, properties)
    }
    for edge in venue.edges {
      guard let from = nodes[edge.from], let to = nodes[edge.to] else { continue }
      add(
        "edge", frame.line([from.position, to.position]), from.level == to.level ? from.level : nil,
        [
          "from": .text(edge.from), "to": .text(edge.to), "kind": .text(edge.kind.rawValue), "twoWay": .flag(edge.isTwoWay),
          "wheelchair": .text(edge.wheelchair.rawValue),
        ])
    }
    for lift in venue.lifts {
      let stops = lift.stops.compactMap { nodes[$0] }
      guard stops.count > 1 else { continue }
      add(
        "edge", frame.line(stops.map(\.position)), nil,
        ["id": .text(lift.id), "kind": .text("lift"), "wheelchair": .text(lift.wheelchair.rawValue)])
    }
  }

  /// Returns a text without a language, or texts by language.
  func texts(_ text: LocalizedText) -> JSONValue {
    if text.versions.count == 1, let version = text.versions.first, version.language.isEmpty { return .text(version.text) }
    return .object(Dictionary(text.versions.map { ($0.language, .text($0.text)) }) { first, _ in first })
  }
}

extension VenueFrame {
  fileprivate func point(_ point: PlanPoint) -> JSONValue { .object(["type": .text("Point"), "coordinates": degrees(of: point)]) }
}
