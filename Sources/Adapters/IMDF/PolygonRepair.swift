internal import CGEOS
import Venues

/// Makes valid areas without holes of outlines that other programs have drawn, with GEOS, which is loaded on demand.
///
/// A venue file has outlines of single rings only, without crossing edges.
final class PolygonRepair {
  /// The minimum area in square metres; smaller pieces are errors of drawing.
  static let leastArea = 0.01
  /// The maximum number of corners of an outline in a venue file.
  static let mostCorners = 2000

  struct Outcome {
    var polygons: [PlanPolygon] = []
    /// The reason that GEOS gives, such as `Self-intersection`; nil for a valid polygon.
    var problem: String?
    /// Whether the polygon had holes, or too many corners, and was cut into several.
    var wasCut = false
  }

  private let functions: geos_library
  private let context: GEOSContextHandle_t

  init() throws(IMDFError) {
    var functions = geos_library()
    if let problem = geos_library_load(&functions) { throw .missing(problem, package: "libgeos-c1v5") }
    guard let context = functions.init_r() else { throw .invalid("GEOS cannot be started") }
    self.functions = functions
    self.context = context
  }

  deinit { functions.finish_r(context) }

  /// Returns the area of an outline and its holes as polygons of a venue file, to the millimetre.
  func polygons(ring: [PlanPoint], holes: [[PlanPoint]]) -> Outcome {
    var outcome = Outcome()
    guard let geometry = geometry(ring: Self.cleaned(ring), holes: holes.map(Self.cleaned).filter { $0.count >= 3 }) else {
      outcome.problem = "fewer than three corners"
      return outcome
    }
    defer { functions.Geom_destroy_r(context, geometry) }
    if functions.isValid_r(context, geometry) == 1 {
      outcome.polygons = pieces(of: geometry, depth: 0, &outcome.wasCut)
    } else {
      outcome.problem = reason(geometry)
      guard let valid = functions.MakeValid_r(context, geometry) else { return outcome }
      defer { functions.Geom_destroy_r(context, valid) }
      outcome.polygons = pieces(of: valid, depth: 0, &outcome.wasCut)
    }
    outcome.polygons = outcome.polygons.filter { $0.area >= Self.leastArea }.compactMap(simple)
    return outcome
  }

  /// Returns the polygon without crossings, which the rounding to millimetres may have made; nil if that fails.
  private func simple(_ polygon: PlanPolygon) -> PlanPolygon? {
    guard let rounded = PlanPolygon(ring: Self.cleaned(polygon.ring)) else { return nil }
    guard rounded.selfCrossing != nil else { return rounded }
    guard let geometry = geometry(ring: rounded.ring, holes: []) else { return nil }
    defer { functions.Geom_destroy_r(context, geometry) }
    guard let valid = functions.MakeValid_r(context, geometry) else { return nil }
    defer { functions.Geom_destroy_r(context, valid) }
    var wasCut = false
    let largest = pieces(of: valid, depth: 0, &wasCut).max { $0.area < $1.area }
    return largest.flatMap { PlanPolygon(ring: Self.cleaned($0.ring)) }.flatMap { $0.selfCrossing == nil ? $0 : nil }
  }

  /// Returns the points to the millimetre, without repetitions and without spikes.
  private static func cleaned(_ ring: [PlanPoint]) -> [PlanPoint] {
    var points: [PlanPoint] = []
    for point in ring {
      let rounded = point.millimetres
      if points.last == rounded { continue }
      if points.count > 1, points[points.count - 2] == rounded {
        points.removeLast()
        continue
      }
      points.append(rounded)
    }
    while points.count > 1, points.first == points.last { points.removeLast() }
    return points
  }

  private func reason(_ geometry: OpaquePointer) -> String {
    guard let pointer = functions.isValidReason_r(context, geometry) else { return "invalid" }
    defer { functions.Free_r(context, pointer) }
    // The text ends in the place on the plan, which the file does not have.
    return String(String(cString: pointer).prefix { $0 != "[" })
  }
}

// MARK: - Pieces without holes

extension PolygonRepair {
  /// Returns the polygons of a geometry.
  ///
  /// One with a hole, or with too many corners, is cut in two: through the middle of the hole, or of the whole.
  private func pieces(of geometry: OpaquePointer, depth: Int, _ wasCut: inout Bool) -> [PlanPolygon] {
    guard functions.GeomTypeId_r(context, geometry) == Int32(GEOS_POLYGON.rawValue) else {
      let isCollection = functions.GeomTypeId_r(context, geometry) > Int32(GEOS_POLYGON.rawValue)
      guard isCollection, depth < Self.deepest else { return [] }
      return (0..<functions.GetNumGeometries_r(context, geometry)).flatMap { index in
        functions.GetGeometryN_r(context, geometry, index).map { pieces(of: $0, depth: depth + 1, &wasCut) } ?? []
      }
    }
    guard let exterior = functions.GetExteriorRing_r(context, geometry), let polygon = PlanPolygon(ring: points(of: exterior)) else {
      return []
    }
    let holes = functions.GetNumInteriorRings_r(context, geometry)
    guard holes > 0 || polygon.ring.count > Self.mostCorners else { return [polygon] }
    guard depth < Self.deepest else { return [] }
    wasCut = true
    var middle = polygon.bounds.center
    // Through the middle of many holes, so that the pieces become small quickly.
    if (1...4).contains(holes), let hole = functions.GetInteriorRingN_r(context, geometry, 0), let bounds = PlanBounds(of: points(of: hole))
    {
      middle = bounds.center
    }
    return halves(of: polygon.bounds, at: middle).flatMap { half -> [PlanPolygon] in
      guard let box = self.geometry(ring: half.corners, holes: []) else { return [] }
      defer { functions.Geom_destroy_r(context, box) }
      guard let part = functions.Intersection_r(context, geometry, box) else { return [] }
      defer { functions.Geom_destroy_r(context, part) }
      return pieces(of: part, depth: depth + 1, &wasCut)
    }
  }

  private static let deepest = 64

  /// Returns the parts of a rectangle on both sides of a point, across its longer side.
  private func halves(of bounds: PlanBounds, at middle: PlanPoint) -> [PlanBounds] {
    // Beyond the outline, so that its own edges are not cut at.
    let least = PlanPoint(x: bounds.least.x - 1, y: bounds.least.y - 1)
    let most = PlanPoint(x: bounds.most.x + 1, y: bounds.most.y + 1)
    return bounds.width >= bounds.height
      ? [
        PlanBounds(least: least, most: PlanPoint(x: middle.x, y: most.y)),
        PlanBounds(least: PlanPoint(x: middle.x, y: least.y), most: most),
      ]
      : [
        PlanBounds(least: least, most: PlanPoint(x: most.x, y: middle.y)),
        PlanBounds(least: PlanPoint(x: least.x, y: middle.y), most: most),
      ]
  }

  private func points(of ring: OpaquePointer) -> [PlanPoint] {
    guard let sequence = functions.Geom_getCoordSeq_r(context, ring) else { return [] }
    var count: UInt32 = 0
    guard functions.CoordSeq_getSize_r(context, sequence, &count) == 1 else { return [] }
    return (0..<count).map { index in
      var point = PlanPoint(x: 0, y: 0)
      _ = functions.CoordSeq_getXY_r(context, sequence, index, &point.x, &point.y)
      return point
    }
  }

  /// Returns a polygon of GEOS, which the caller destroys; nil if a ring has fewer than three points.
  private func geometry(ring: [PlanPoint], holes: [[PlanPoint]]) -> OpaquePointer? {
    guard let shell = linearRing(ring) else { return nil }
    var inner: [OpaquePointer?] = holes.compactMap(linearRing)
    let count = UInt32(inner.count)
    return inner.withUnsafeMutableBufferPointer { functions.Geom_createPolygon_r(context, shell, $0.baseAddress, count) }
  }

  private func linearRing(_ points: [PlanPoint]) -> OpaquePointer? {
    guard points.count >= 3, points.allSatisfy(\.isFinite),
      let sequence = functions.CoordSeq_create_r(context, UInt32(points.count + 1), 2)
    else { return nil }
    for (index, point) in (points + points.prefix(1)).enumerated() {
      _ = functions.CoordSeq_setXY_r(context, sequence, UInt32(index), point.x, point.y)
    }
    return functions.Geom_createLinearRing_r(context, sequence)
  }
}
