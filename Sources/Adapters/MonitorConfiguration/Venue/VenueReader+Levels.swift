import Geodesy
import Venues

// Levels with their pictures, and walls.

extension VenueReader {
  /// Reads the levels. A file without any has one, so that a list of beacons is a venue.
  mutating func readLevels() -> [VenueLevel] {
    var result: [VenueLevel] = []
    var firstLines: [String: SourceLine?] = [:]
    var areaCount = 0
    for var table in top.tables("level", called: "level") {
      let id = table.require("id", as: .venueID(of: "level", example: "ground"))
      if let id {
        table.rename("level \(id.quoted)")
        if let first = firstLines[id] {
          table.report("id", "is already used by the level \(table.reference(to: first)); choose another one")
        } else {
          firstLines[id] = table.line(of: "id")
        }
      }
      var level = VenueLevel(id: id ?? "")
      level.ordinal = table.read("ordinal", as: .integer(-100...1000)) ?? 0
      level.name = table.read("name", as: .title) ?? LocalizedText()
      level.shortName = table.read("short-name", as: .title) ?? LocalizedText()
      level.picture = Self.picture(&table)
      level.walkable = table.read("walkable", as: .list(of: .polygon, example: Self.areas)) ?? []
      level.voids = table.read("voids", as: .list(of: .polygon, example: Self.areas)) ?? []
      level.wheelchair = table.read("wheelchair", as: ValueDecoder<WheelchairAccess>.choice(of: "kind of access")) ?? .unknown
      if level.isBlocked { table.warn("voids", "cover all walkable areas, so that no visitor can be on the level; correct their corners") }
      areaCount += level.walkable.count + level.voids.count
      result.append(level)
      lines.levels.append(table.line)
      table.finish()
    }
    // Each area is compared with the others.
    if areaCount > VenueDocument.mostAreas {
      top.report("level", "has \(areaCount) areas in all; at most \(VenueDocument.mostAreas) are allowed, so join neighbouring ones")
    }
    if result.isEmpty {
      result = [VenueLevel()]
      lines.levels = [1]
      if !top.has("level") { firstLines[VenueLevel.defaultID] = 1 }
    }
    levels = Set(firstLines.keys)
    return result
  }

  private static let areas = "[[[0, 0], [4, 0], [4, 3], [0, 3]]]"

  private static func picture(_ table: inout TableReader) -> PlanPicture? {
    let plan = table.table("plan")
    let anchors = table.tables("anchors", called: (table.place + ["anchor"]).joined(separator: ": "))
    let fit = table.read("fit", as: .fit)
    guard var plan else {
      for key in ["anchors", "fit"] where table.has(key) {
        table.report(key, "requires a plan, such as plan = { image = \"ground.png\", size = [2400, 1600] }")
      }
      return nil
    }
    let image = plan.require("image", as: .venueFile(example: "ground.png"))
    let size = plan.require("size", as: .pictureSize)
    if let image { plan.refer("image", to: .venueFile(image)) }
    plan.finish()
    let points = anchors.map(anchor)
    guard let image, let size else { return nil }
    var picture = PlanPicture(image: image, width: size.width, height: size.height)
    guard !points.isEmpty, !points.contains(nil) else {
      if fit != nil, points.isEmpty { table.report("fit", "requires anchors") }
      return picture
    }
    do throws(PlanTransformError) {
      let transform = try PlanTransform(anchors: points.compactMap(\.self), yAxis: .down, fit: fit ?? .similarity)
      picture.transform = transform
      let corners = PlanBounds(least: PlanPoint(x: 0, y: 0), most: PlanPoint(x: Double(size.width), y: Double(size.height))).corners
      if let short = transform.shortBaseline(for: corners) {
        table.warn("anchors", Self.description(of: short))
      } else if PlanAnchor.areInLine(points.compactMap(\.self)) {
        table.warn("anchors", "lie in a line, so a mirrored plan or an error across the line cannot be noticed; add one beside it")
      }
    } catch {
      table.report("anchors", "\(error)")
    }
    return picture
  }

  private static func description(of short: PlanTransform.ShortBaseline) -> String {
    func metres(_ length: Double) -> String { "\((length * 10).rounded() / 10)" }
    return "are too close together, at most \(metres(short.baseline)) m apart on a plan of \(metres(short.extent)) m: "
      + "the error in a corner is about \(metres(short.worstError)) m; choose anchors in opposite corners"
  }

  private static func anchor(_ table: consuming TableReader) -> PlanAnchor? {
    let pixel = table.require("pixel", as: .pixel)
    let latitude = table.require("latitude", as: .latitude)
    let longitude = table.require("longitude", as: .number(-180...180))
    table.finish()
    guard let pixel, let latitude, let longitude, let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
    return PlanAnchor(point: pixel, coordinate: coordinate)
  }

  mutating func readWalls() -> [VenueWall] {
    top.tables("wall", called: "wall").compactMap { table in
      var table = table
      let level = level(&table)
      let from = table.require("from", as: .point)
      let to = table.require("to", as: .point)
      let attenuation = table.require("attenuation", as: .number(0...100))
      if let from, from == to { table.warn("to", "is where the wall begins; a wall has two ends") }
      table.finish()
      guard let level, let from, let to, let attenuation else { return nil }
      return VenueWall(level: level, from: from, to: to, attenuation: attenuation)
    }
  }
}

extension ValueDecoder where Value == PlanTransform.Fit {
  fileprivate static var fit: ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      switch try ValueDecoder<String>.text(example: "similarity").decode(node) {
      case "similarity": return .similarity
      case "affine": return .affine
      case let other: throw DecodingIssue("\(other.quoted) is not a fit; write \"similarity\" or \"affine\"")
      }
    }
  }
}

extension ValueDecoder where Value == (width: Int, height: Int) {
  /// Width and height in pixels.
  fileprivate static var pictureSize: ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let numbers = try ValueDecoder<[Int]>.list(of: .integer(1...1_000_000), example: "[2400, 1600]").decode(node)
      guard numbers.count == 2 else { throw DecodingIssue("has \(numbers.count) numbers; write width and height, such as [2400, 1600]") }
      return (numbers[0], numbers[1])
    }
  }
}
