import Geodesy
import Venues

/// A feature of an archive, as its file has it.
struct IMDFFeature {
  /// The file in the archive.
  let file: String
  let type: String
  /// The id, in lower case if it is a UUID.
  let id: String
  /// The id for notes, or the number in the file.
  let label: String
  let geometry: JSONValue?
  let properties: [String: JSONValue]
  /// The property of this program's extension; nil if the archive does not use it.
  let additions: [String: JSONValue]?

  subscript(key: String) -> JSONValue? { properties[key].flatMap { $0.isNull ? nil : $0 } }

  var category: String { self["category"]?.text ?? "" }
  /// The first part of the category: `restroom` for `restroom.female`.
  var mainCategory: String { String(category.prefix { $0 != "." }) }

  func reference(_ key: String) -> String? { self[key]?.identifier.map(Self.normalized) }

  func references(_ key: String) -> [String] { (self[key]?.list ?? []).compactMap { $0.identifier.map(Self.normalized) } }

  /// Returns a UUID in lower case, and any other id as it is.
  static func normalized(_ id: String) -> String { isUUID(id) ? id.lowercased() : id }

  static func isUUID(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    return text.utf8.enumerated().allSatisfy { index, octet in
      [8, 13, 18, 23].contains(index) ? octet == UInt8(ascii: "-") : Character(Unicode.Scalar(octet)).isHexDigit
    }
  }
}

/// A position as it stands in a file, in the order of GeoJSON unless the file deviates.
struct RawPosition: Hashable {
  var x: Double
  var y: Double

  /// The coordinate, if x is the longitude.
  var coordinate: Coordinate? {
    guard abs(x) <= 180 else { return nil }
    return Coordinate(latitude: y, longitude: x)
  }

  var swapped: RawPosition { RawPosition(x: y, y: x) }

  /// Whether the position lies within a kilometre of the place where no latitude and no longitude lead.
  var isNearZero: Bool { abs(x) < 0.01 && abs(y) < 0.01 }

  /// Whether a number has more than the seven decimals that the standard allows, one centimetre.
  var isTooPrecise: Bool { Self.isTooPrecise(x) || Self.isTooPrecise(y) }

  private static func isTooPrecise(_ value: Double) -> Bool {
    let scaled = value * 1e7
    // The product of a number with seven decimals is off by some units in the last place.
    return abs(scaled - scaled.rounded()) > 1e-5
  }

  init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// Returns nil unless the value is a list of two or more numbers. A third one, the altitude, is ignored.
  init?(_ value: JSONValue) {
    guard let list = value.list, list.count >= 2, let x = list[0].number, let y = list[1].number else { return nil }
    self.init(x: x, y: y)
  }
}

/// The positions of a geometry.
enum RawGeometry {
  case point(RawPosition)
  case lines([[RawPosition]])
  /// Polygons, each with its outline and its holes.
  case polygons([[[RawPosition]]])

  /// Returns nil if the value is not a geometry of these kinds.
  init?(_ value: JSONValue) {
    guard let type = value["type"]?.text, let coordinates = value["coordinates"] else { return nil }
    switch type {
    case "Point":
      guard let position = RawPosition(coordinates) else { return nil }
      self = .point(position)
    case "LineString":
      guard let line = Self.line(coordinates), line.count >= 2 else { return nil }
      self = .lines([line])
    case "MultiLineString":
      guard let lines = Self.lines(coordinates) else { return nil }
      self = .lines(lines)
    case "Polygon":
      guard let rings = Self.lines(coordinates), !rings.isEmpty else { return nil }
      self = .polygons([rings])
    case "MultiPolygon":
      guard let list = coordinates.list else { return nil }
      let polygons = list.compactMap(Self.lines).filter { !$0.isEmpty }
      guard polygons.count == list.count, !polygons.isEmpty else { return nil }
      self = .polygons(polygons)
    default: return nil
    }
  }

  private static func line(_ value: JSONValue) -> [RawPosition]? {
    guard let list = value.list else { return nil }
    let line = list.compactMap(RawPosition.init)
    return line.count == list.count ? line : nil
  }

  private static func lines(_ value: JSONValue) -> [[RawPosition]]? {
    guard let list = value.list else { return nil }
    let lines = list.compactMap(line)
    return lines.count == list.count ? lines : nil
  }

  var positions: [RawPosition] {
    switch self {
    case .point(let position): [position]
    case .lines(let lines): lines.flatMap { $0 }
    case .polygons(let polygons): polygons.flatMap { $0.flatMap { $0 } }
    }
  }
}
