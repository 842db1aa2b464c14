import ConfigurationTree
import Records
import Venues

extension ValueDecoder where Value == PlanPoint {
  /// Metres.
  static var point: ValueDecoder {
    ValueDecoder(.list(.number(-10_000...10_000), count: 2...2)) { node throws(DecodingIssue) in
      let metres = try ValueDecoder<[Double]>.list(of: .number(-10_000...10_000), example: "[2.5, 4]").decode(node)
      guard metres.count == 2 else { throw DecodingIssue("has \(metres.count) numbers; write two, x and y in metres, such as [2.5, 4]") }
      return PlanPoint(x: metres[0], y: metres[1])
    }
  }

  /// A point of a picture in pixels, from the top left corner with y down.
  static var pixel: ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let pixels = try ValueDecoder<[Double]>.list(of: .number(-1_000_000...1_000_000), example: "[120, 80]").decode(node)
      guard pixels.count == 2 else {
        throw DecodingIssue("has \(pixels.count) numbers; write two, x and y in pixels from the top left corner, such as [120, 80]")
      }
      return PlanPoint(x: pixels[0], y: pixels[1])
    }
  }
}

extension ValueDecoder where Value == PlanPolygon {
  /// The maximum number of corners of an area: the test for crossing edges compares each pair in the worst case.
  private static var mostCorners: Int { 2000 }

  /// The outline of an area in metres.
  static var polygon: ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let example = "[[0, 0], [4, 0], [4, 3], [0, 3]]"
      let corners = try ValueDecoder<[PlanPoint]>.list(of: .point, example: example).decode(node)
      guard corners.count <= mostCorners else {
        throw DecodingIssue("has \(corners.count) corners; at most \(mostCorners) are allowed, so leave out the finest ones")
      }
      guard let polygon = PlanPolygon(ring: corners) else {
        let count = min(corners.count, Set(corners).count)
        throw DecodingIssue("has \(Count.text(count, "corner")); an area has at least three, such as \(example)")
      }
      guard !areInLine(corners) else {
        throw DecodingIssue("has no area, because its corners lie in a line; list the corners around the area")
      }
      if let crossing = polygon.selfCrossing { throw DecodingIssue(description(of: crossing)) }
      guard polygon.area >= 0.0001 else { throw DecodingIssue("has no area; list the corners in the order around the area") }
      return polygon
    }
  }

  /// Whether all points lie within a tenth of a millimetre of one line.
  private static func areInLine(_ points: [PlanPoint]) -> Bool {
    guard let start = points.first, let end = points.max(by: { $0.distance(to: start) < $1.distance(to: start) }) else { return true }
    let (x, y, length) = (end.x - start.x, end.y - start.y, end.distance(to: start))
    return points.allSatisfy { abs(x * ($0.y - start.y) - y * ($0.x - start.x)) <= 0.0001 * length }
  }

  private static func description(of crossing: PlanPolygon.Crossing) -> String {
    guard crossing.first != crossing.second else { return "has the corner \(crossing.first.text) twice in a row; remove one of them" }
    return "crosses itself: its edges from \(crossing.first.text) and from \(crossing.second.text) meet; "
      + "list the corners in the order around the area, each once"
  }
}

extension PlanPoint {
  /// The point as in a file, to the millimetre: `[12.4, 8.1]`.
  var text: String { "[\(Self.text(x)), \(Self.text(y))]" }

  private static func text(_ metres: Double) -> String {
    let rounded = (metres * 1000).rounded() / 1000
    let text = "\(rounded + 0)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
