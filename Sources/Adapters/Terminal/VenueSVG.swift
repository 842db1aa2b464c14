import Beacons
import Venues

/// A level of a venue as an SVG picture.
public struct VenueSVG {
  private let venue: Venue
  private let level: VenueLevel
  private let languages: [String]

  /// - Parameter languages: the languages of names, the best one first.
  public init(_ venue: Venue, _ level: VenueLevel, languages: [String]) {
    (self.venue, self.level, self.languages) = (venue, level, languages)
  }

  /// The margin in metres.
  private static let margin = 1.0
  /// The pixels of a metre.
  private static let scale = 40.0

  /// The document, with a line end.
  public var text: String {
    let bounds = venue.bounds(ofLevel: level.id) ?? PlanBounds(least: PlanPoint(x: 0, y: 0), most: PlanPoint(x: 1, y: 1))
    let (width, height) = (bounds.width + 2 * Self.margin, bounds.height + 2 * Self.margin)
    let title = "\(venue.name(preferring: languages)), \(level.name.text(preferring: languages) ?? level.id)"
    // y points up on the plan and down in the picture.
    let places = venue.places.filter { $0.level == level.id }
    let parts =
      level.walkable.map { polygon($0, "walkable") } + level.voids.map { polygon($0, "void") }
      + places.compactMap { $0.area.map { polygon($0, "area") } }
      + venue.walls.filter { $0.level == level.id }.map(wall) + venue.beacons.filter { $0.level == level.id }.map(beacon)
      + places.map(place)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.number(width * Self.scale))" height="\(Self.number(height * Self.scale))" \
      viewBox="\(Self.number(bounds.least.x - Self.margin)) \(Self.number(-bounds.most.y - Self.margin)) \
      \(Self.number(width)) \(Self.number(height))">
      <title>\(Self.escaped(title))</title>
      <style>
      .walkable { fill: #f4f1ea; stroke: #6b6459; stroke-width: 0.08 }
      .void { fill: #d5cfc2 }
      .area { fill: #dbe8f2; stroke: #4a7ba6; stroke-width: 0.04 }
      .wall { stroke: #3b362f; stroke-width: 0.15 }
      .beacon { fill: #b3541e }
      .place { fill: #1f5f8b }
      text { font: 0.5px sans-serif; fill: #222 }
      .number { font-size: 0.35px; fill: #b3541e }
      </style>
      <rect x="\(Self.number(bounds.least.x - Self.margin))" y="\(Self.number(-bounds.most.y - Self.margin))" \
      width="\(Self.number(width))" height="\(Self.number(height))" fill="#ffffff"/>
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }

  private func polygon(_ polygon: PlanPolygon, _ kind: String) -> String {
    "<polygon class=\"\(kind)\" points=\"\(polygon.ring.map { "\(Self.number($0.x)),\(Self.number(-$0.y))" }.joined(separator: " "))\"/>"
  }

  private func wall(_ wall: VenueWall) -> String {
    "<line class=\"wall\" x1=\"\(Self.number(wall.from.x))\" y1=\"\(Self.number(-wall.from.y))\" x2=\"\(Self.number(wall.to.x))\" "
      + "y2=\"\(Self.number(-wall.to.y))\"><title>\(Self.number(wall.attenuation)) dB</title></line>"
  }

  private func beacon(_ beacon: PlannedBeacon) -> String {
    let (x, y) = (beacon.position.x, -beacon.position.y)
    return "<circle class=\"beacon\" cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"0.18\"/>"
      + "<text class=\"number\" x=\"\(Self.number(x + 0.25))\" y=\"\(Self.number(y - 0.2))\">\(beacon.identity.major)/\(beacon.identity.minor)</text>"
  }

  private func place(_ place: Place) -> String {
    let (x, y) = (place.position.x, -place.position.y)
    return "<circle class=\"place\" cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"0.1\"/>"
      + "<text x=\"\(Self.number(x + 0.25))\" y=\"\(Self.number(y + 0.45))\">\(Self.escaped(place.name(preferring: languages)))</text>"
  }

  /// Returns a number with at most three decimals.
  private static func number(_ value: Double) -> String {
    let text = "\((value * 1000).rounded() / 1000 + 0)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns the text as content of an element.
  private static func escaped(_ text: String) -> String {
    text.printable.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(character)
      }
    }.joined()
  }
}
