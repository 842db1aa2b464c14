@testable import IMDF

/// A small archive as another program writes it, and changes that make it deviate.
struct ForeignArchive {
  var manifest = #"{"version":"1.0.0","created":"2026-05-01T12:00:00+02:00","language":"en","generated_by":null,"extensions":null}"#
  /// The features by type.
  var features: [String: [JSONValue]] = [:]

  static let level = "aaaaaaaa-0000-4000-8000-000000000001"
  static let upper = "aaaaaaaa-0000-4000-8000-000000000002"
  static let hall = "bbbbbbbb-0000-4000-8000-000000000001"
  static let room = "bbbbbbbb-0000-4000-8000-000000000002"
  static let upstairs = "bbbbbbbb-0000-4000-8000-000000000003"

  /// A building of 40 by 30 m near Munich, whose walls run north and east: a hall and a shop, with a floor above.
  init() {
    let outline = Self.rectangle(0, 0, 40, 30)
    add(
      "venue", "cccccccc-0000-4000-8000-000000000001", outline,
      ["category": .text("museum"), "name": Self.label("Museum"), "display_point": Self.point(20, 15), "address_id": .null])
    add("footprint", "cccccccc-0000-4000-8000-000000000002", outline, ["category": .text("ground"), "building_ids": .list([])])
    add("level", Self.level, outline, Self.level(0, "Ground floor", "G"))
    add("level", Self.upper, outline, Self.level(1, "First floor", "1"))
    add("unit", Self.hall, Self.rectangle(0, 0, 20, 30), Self.unit("walkway", Self.level))
    add("unit", Self.room, Self.rectangle(20, 0, 40, 30), Self.unit("room", Self.level))
    add("unit", Self.upstairs, outline, Self.unit("walkway", Self.upper))
    add("unit", "bbbbbbbb-0000-4000-8000-000000000004", Self.rectangle(5, 5, 8, 8), Self.unit("opentobelow", Self.upper))
    add(
      "opening", "dddddddd-0000-4000-8000-000000000001", Self.line(20, 10, 20, 12),
      ["category": .text("pedestrian"), "level_id": .text(Self.level)])
    add(
      "opening", "dddddddd-0000-4000-8000-000000000002", Self.line(0, 14, 0, 16),
      ["category": .text("pedestrian.principal"), "level_id": .text(Self.level)])
    add(
      "amenity", "eeeeeeee-0000-4000-8000-000000000001", Self.point(10, 10),
      [
        "category": .text("exhibit"), "name": Self.label("Lodestone"), "unit_ids": .list([.text(Self.hall)]),
        "website": .text("https://example.org/lodestone"), "hours": .text("Mo-Fr 10:00-18:00"),
      ])
    add("anchor", "ffffffff-0000-4000-8000-000000000001", Self.point(30, 15), ["unit_id": .text(Self.room), "address_id": .null])
    add(
      "occupant", "eeeeeeee-0000-4000-8000-000000000002", .null,
      [
        "category": .text("books"), "name": .object(["en": .text("Books"), "de": .text("Bücher")]),
        "anchor_id": .text("ffffffff-0000-4000-8000-000000000001"),
      ])
    relate("traversal", Self.hall, Self.room, through: ["dddddddd-0000-4000-8000-000000000001"], number: 1)
    relate("stairs", Self.hall, Self.upstairs, number: 2)
    relate("elevator", Self.hall, Self.upstairs, number: 3)
  }

  mutating func add(_ type: String, _ id: String, _ geometry: JSONValue, _ properties: [String: JSONValue]) {
    features[type, default: []].append(
      .object([
        "id": .text(id), "type": .text("Feature"), "feature_type": .text(type), "geometry": geometry, "properties": .object(properties),
      ]))
  }

  mutating func relate(_ category: String, _ origin: String, _ destination: String, through openings: [String] = [], number: Int) {
    func reference(_ id: String, _ type: String) -> JSONValue { .object(["id": .text(id), "feature_type": .text(type)]) }
    add(
      "relationship", "99999999-0000-4000-8000-00000000000\(number)", .null,
      [
        "category": .text(category), "direction": .text("undirected"), "origin": reference(origin, "unit"),
        "destination": reference(destination, "unit"), "intermediary": .list(openings.map { reference($0, "opening") }),
      ])
  }

  /// Changes each feature of a type.
  mutating func change(_ type: String, _ change: (inout [String: JSONValue]) -> Void) {
    features[type] = features[type]?.map { feature in
      var object = feature.object ?? [:]
      change(&object)
      return .object(object)
    }
  }

  /// Changes the properties of each feature of a type.
  mutating func changeProperties(_ type: String, _ change: (inout [String: JSONValue]) -> Void) {
    self.change(type) { feature in
      var properties = feature["properties"]?.object ?? [:]
      change(&properties)
      feature["properties"] = .object(properties)
    }
  }

  var files: [String: [UInt8]] {
    var files = features.reduce(into: [String: [UInt8]]()) { files, entry in
      let collection: JSONValue = .object(["type": .text("FeatureCollection"), "features": .list(entry.value)])
      files["\(entry.key).geojson"] = collection.octets
    }
    files["manifest.json"] = Array(manifest.utf8)
    return files
  }

  // MARK: Values

  /// Returns the position of a point in metres east and north of the corner, to seven decimals.
  static func position(_ east: Double, _ north: Double) -> JSONValue {
    let longitude = ((11.5754 + east / 74_491) * 1e7).rounded() / 1e7
    let latitude = ((48.1371 + north / 111_206) * 1e7).rounded() / 1e7
    return .list([.number(longitude), .number(latitude)])
  }

  static func point(_ east: Double, _ north: Double) -> JSONValue {
    .object(["type": .text("Point"), "coordinates": position(east, north)])
  }

  static func line(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> JSONValue {
    .object(["type": .text("LineString"), "coordinates": .list([position(x0, y0), position(x1, y1)])])
  }

  static func rectangle(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> JSONValue { polygon([ring(x0, y0, x1, y1)]) }

  static func ring(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> [(Double, Double)] {
    [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
  }

  static func polygon(_ rings: [[(Double, Double)]]) -> JSONValue {
    .object(["type": .text("Polygon"), "coordinates": .list(rings.map { .list($0.map { position($0.0, $0.1) }) })])
  }

  static func label(_ text: String) -> JSONValue { .object(["en": .text(text)]) }

  static func level(_ ordinal: Double, _ name: String, _ short: String) -> [String: JSONValue] {
    [
      "category": .text("unspecified"), "ordinal": .number(ordinal), "outdoor": .flag(false), "name": label(name),
      "short_name": label(short),
    ]
  }

  static func unit(_ category: String, _ level: String) -> [String: JSONValue] { ["category": .text(category), "level_id": .text(level)] }

  /// Returns the value with each list of two numbers the other way round.
  static func swapped(_ value: JSONValue) -> JSONValue {
    switch value {
    case .list(let list):
      if list.count == 2, list[0].number != nil, list[1].number != nil { return .list([list[1], list[0]]) }
      return .list(list.map(swapped))
    case .object(let object): return .object(object.mapValues(swapped))
    default: return value
    }
  }
}
