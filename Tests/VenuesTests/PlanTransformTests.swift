import Geodesy
import RealModule
import Testing
import Venues

func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
  guard let place = Coordinate(latitude: latitude, longitude: longitude) else { fatalError("\(latitude), \(longitude) is not a place") }
  return place
}

/// A plan whose place on the earth is known, independent of the transform: points lie on geodesics from its origin.
struct PlacedPlan {
  var origin = place(48.13715, 11.57549)
  /// The direction of the plan's upper edge, in degrees clockwise from north.
  var bearing = 12.0
  var metresPerUnit = 1.0
  var yAxis = PlanTransform.YAxis.up

  func coordinate(_ x: Double, _ y: Double) -> Coordinate {
    let up = yAxis == .up ? y : -y
    let azimuth = bearing + Double.atan2(y: x, x: up) * 180 / .pi
    return origin.destination(azimuth: azimuth, distance: .hypot(x, y) * metresPerUnit).coordinate
  }

  func anchor(_ x: Double, _ y: Double) -> PlanAnchor { PlanAnchor(point: PlanPoint(x: x, y: y), coordinate: coordinate(x, y)) }

  func anchors(_ points: [(Double, Double)]) -> [PlanAnchor] { points.map { anchor($0.0, $0.1) } }
}

extension PlanAnchor {
  /// Returns the anchor with its coordinate moved by metres.
  func moved(east: Double, north: Double) -> PlanAnchor {
    guard let moved = TangentPlane(at: coordinate).coordinate(east: east, north: north) else {
      fatalError("an anchor was moved off the earth")
    }
    return PlanAnchor(point: point, coordinate: moved)
  }
}

private let corners = [(0, 0), (50, 0), (50, 30), (0, 30)] as [(Double, Double)]

@Suite struct PlanTransformTests {
  // MARK: Both directions

  @Test(
    arguments: [
      PlacedPlan(), PlacedPlan(bearing: -140, metresPerUnit: 0.02), PlacedPlan(bearing: 90, metresPerUnit: 0.02, yAxis: .down),
      PlacedPlan(origin: place(-16.5, 179.9999), bearing: 45, metresPerUnit: 10),
      PlacedPlan(origin: place(90, 0), metresPerUnit: 5, yAxis: .down),
    ], [[(0, 0), (50, 30)], corners, [(0, 0), (20, 10), (50, 0), (50, 30), (-40, 90)]])
  func `consistent anchors are exact to a millimetre in both directions`(plan: PlacedPlan, points: [(Double, Double)]) throws {
    let transform = try PlanTransform(anchors: plan.anchors(points), yAxis: plan.yAxis)
    for anchor in transform.anchors + [plan.anchor(25, 15), plan.anchor(-10, 70)] {
      let coordinate = try #require(transform.coordinate(for: anchor.point))
      #expect(coordinate.distance(to: anchor.coordinate) < 1e-3)
      let point = try #require(transform.point(for: anchor.coordinate))
      #expect(Double.hypot(point.x - anchor.point.x, point.y - anchor.point.y) * plan.metresPerUnit < 1e-3)
    }
    #expect(transform.residuals.allSatisfy { $0 < 1e-3 } && transform.residuals.count == points.count)
    #expect(abs(transform.metresPerUnit / plan.metresPerUnit - 1) < 1e-5)
  }

  @Test func `north of a drawing is at larger y, and north of a picture at smaller y`() throws {
    for (yAxis, y) in [(.up, 20), (.down, -20)] as [(PlanTransform.YAxis, Double)] {
      let plan = PlacedPlan(bearing: 0, yAxis: yAxis)
      let transform = try PlanTransform(anchors: plan.anchors([(0, 0), (50, 30)]), yAxis: yAxis)
      let north = plan.origin.destination(azimuth: 0, distance: 20).coordinate
      let point = try #require(transform.point(for: north))
      #expect(abs(point.x) < 1e-3 && abs(point.y - y) < 1e-3)
    }
  }

  @Test func `an affine fit recovers shear and two scales that a similarity cannot`() throws {
    let plan = PlacedPlan()
    // The picture shows x at 40 pixels per metre with shear, y at 55.
    let anchors = (corners + [(20, 10)]).map { x, y in
      PlanAnchor(point: PlanPoint(x: 40 * x + 9 * y + 100, y: 2000 - 55 * y), coordinate: plan.coordinate(x, y))
    }
    let affine = try PlanTransform(anchors: anchors, yAxis: .down, fit: .affine)
    #expect(affine.residuals.allSatisfy { $0 < 1e-3 })
    for anchor in anchors {
      #expect(try #require(affine.coordinate(for: anchor.point)).distance(to: anchor.coordinate) < 1e-3)
      let point = try #require(affine.point(for: anchor.coordinate))
      #expect(Double.hypot(point.x - anchor.point.x, point.y - anchor.point.y) < 0.05)
    }
    let similarity = try PlanTransform(anchors: anchors, yAxis: .down)
    #expect(try #require(similarity.residuals.max()) > 2)
    #expect(abs(affine.metresPerUnit - (1.0 / (40 * 55)).squareRoot()) < 1e-6)
  }

  @Test func `the residual of a wrong anchor is the largest`() throws {
    var anchors = PlacedPlan().anchors(corners)
    anchors[2] = anchors[2].moved(east: 3, north: -4)
    let transform = try PlanTransform(anchors: anchors, yAxis: .up)
    // A corner of a rectangle keeps half of its error, and the opposite corner gets none.
    #expect(abs(transform.residuals[2] - 2.5) < 1e-3 && transform.residuals[0] < 1e-3)
    #expect(transform.residuals.max() == transform.residuals[2])
  }

  @Test func `there is no result for points that are not finite and places more than 20 km away`() throws {
    let plan = PlacedPlan()
    let transform = try PlanTransform(anchors: plan.anchors(corners), yAxis: .up)
    #expect(transform.coordinate(for: PlanPoint(x: 15_000, y: 0)) != nil)
    for point in [PlanPoint(x: .nan, y: 0), PlanPoint(x: 0, y: .infinity), PlanPoint(x: 25_000, y: 0), PlanPoint(x: 1e308, y: 1e308)] {
      #expect(transform.coordinate(for: point) == nil, "\(point)")
    }
    #expect(transform.expectedError(at: PlanPoint(x: .nan, y: 0)) == .infinity)
    #expect(transform.expectedError(at: PlanPoint(x: 1e308, y: 0)) == .infinity)
    #expect(transform.point(for: place(48.25, 11.57549)) != nil)
    for (latitude, longitude) in [(49, 11.57549), (-48.13715, -168.42451)] as [(Double, Double)] {
      #expect(transform.point(for: place(latitude, longitude)) == nil)
    }
  }

  // MARK: Refused anchors

  @Test func `too few and too many anchors are refused`() {
    let plan = PlacedPlan()
    #expect(throws: PlanTransformError.tooFewAnchors(count: 0, required: 2)) { try PlanTransform(anchors: [], yAxis: .up) }
    #expect(throws: PlanTransformError.tooFewAnchors(count: 1, required: 2)) {
      try PlanTransform(anchors: plan.anchors([(0, 0)]), yAxis: .up)
    }
    #expect(throws: PlanTransformError.tooFewAnchors(count: 3, required: 4)) {
      try PlanTransform(anchors: plan.anchors([(0, 0), (50, 0), (0, 30)]), yAxis: .up, fit: .affine)
    }
    #expect(throws: PlanTransformError.tooManyAnchors(count: 1001)) {
      try PlanTransform(anchors: Array(repeating: plan.anchor(0, 0), count: 1001), yAxis: .up)
    }
  }

  @Test(arguments: [.nan, .infinity, -.infinity, 2e9] as [Double])
  func `plan points that are not finite or out of range are refused`(value: Double) {
    var anchors = PlacedPlan().anchors(corners)
    anchors[1].point.x = value
    #expect(throws: PlanTransformError.invalidPoint(anchor: 1)) { try PlanTransform(anchors: anchors, yAxis: .up) }
    anchors[1].point = PlanPoint(x: 0, y: value)
    #expect(throws: PlanTransformError.invalidPoint(anchor: 1)) { try PlanTransform(anchors: anchors, yAxis: .down, fit: .affine) }
  }

  @Test(arguments: [.nan, .infinity, 0, -1] as [Double]) func `a sigma that is not finite and positive is refused`(sigma: Double) {
    #expect(throws: PlanTransformError.invalidSigma) {
      try PlanTransform(anchors: PlacedPlan().anchors(corners), yAxis: .up, anchorSigma: sigma)
    }
  }

  @Test func `two anchors in one spot of the plan or the earth are refused`() {
    let plan = PlacedPlan()
    let (a, b) = (plan.anchor(0, 0), plan.anchor(50, 30))
    #expect(throws: PlanTransformError.onePlanPoint(0, 1)) {
      try PlanTransform(anchors: [a, PlanAnchor(point: a.point, coordinate: b.coordinate)], yAxis: .up)
    }
    #expect(throws: PlanTransformError.oneCoordinate(0, 2)) {
      try PlanTransform(anchors: [a, b, PlanAnchor(point: PlanPoint(x: 9, y: 9), coordinate: a.coordinate)], yAxis: .up)
    }
    #expect(throws: PlanTransformError.oneCoordinate(0, 1)) {
      try PlanTransform(anchors: [a, PlanAnchor(point: b.point, coordinate: a.moved(east: 0.005, north: 0).coordinate)], yAxis: .up)
    }
    var close = b
    close.point = PlanPoint(x: .leastNonzeroMagnitude, y: 0)
    #expect(throws: PlanTransformError.onePlanPoint(0, 1)) { try PlanTransform(anchors: [a, close], yAxis: .up) }
  }

  @Test func `anchors farther apart than a plan reaches are refused`() throws {
    let plan = PlacedPlan(metresPerUnit: 1000)
    _ = try PlanTransform(anchors: plan.anchors([(0, 0), (9, 0)]), yAxis: .up)
    let error = #expect(throws: PlanTransformError.self) {
      try PlanTransform(anchors: plan.anchors([(0, 0), (9, 0), (0, 11)]), yAxis: .up)
    }
    guard case .tooFarApart(0, 2, let metres) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(abs(metres - 11_000) < 1e-3)
    #expect(
      "\(try #require(error))" == "anchors 1 and 3 are 11 km apart, but a plan reaches at most 10 km; are latitude and longitude swapped?")
  }

  @Test func `an affine fit refuses anchors in a line, and a single anchor beside the line`() throws {
    let plan = PlacedPlan()
    func fit(_ points: [(Double, Double)]) throws -> PlanTransform {
      try PlanTransform(anchors: plan.anchors(points), yAxis: .up, fit: .affine)
    }
    #expect(throws: PlanTransformError.inLine(allBut: nil)) { try fit([(0, 0), (10, 5), (20, 10), (40, 20)]) }
    #expect(throws: PlanTransformError.inLine(allBut: 1)) { try fit([(0, 0), (10, 30), (20, 10), (40, 20)]) }
    #expect(throws: PlanTransformError.inLine(allBut: 4)) { try fit([(0, 0), (0, 10), (0, 20.1), (0, 35), (40, 20)]) }
    _ = try fit(corners)
    // A similarity needs no anchor beside the line.
    let line = try PlanTransform(anchors: plan.anchors([(0, 0), (10, 5), (20, 10), (40, 20)]), yAxis: .up)
    #expect(try #require(line.coordinate(for: PlanPoint(x: 0, y: 30))).distance(to: plan.coordinate(0, 30)) < 1e-3)
  }

  @Test(arguments: [.up, .down] as [PlanTransform.YAxis], [.similarity, .affine] as [PlanTransform.Fit])
  func `a mirrored plan is refused even with inexact anchors`(yAxis: PlanTransform.YAxis, fit: PlanTransform.Fit) {
    let opposite: PlanTransform.YAxis = yAxis == .up ? .down : .up
    let exact = PlacedPlan(yAxis: opposite).anchors(corners + [(20, 10)])
    let rough = exact.enumerated().map { $1.moved(east: Double($0) - 2, north: 0.7 - Double($0 % 2)) }
    for anchors in [exact, rough] {
      #expect(throws: PlanTransformError.mirrored(yAxis)) { try PlanTransform(anchors: anchors, yAxis: yAxis, fit: fit) }
      #expect(throws: Never.self) { try PlanTransform(anchors: anchors, yAxis: opposite, fit: fit) }
    }
  }

  @Test func `three anchors show a mirrored plan, and anchors in a line or two anchors cannot`() throws {
    let plan = PlacedPlan(yAxis: .down)
    #expect(throws: PlanTransformError.mirrored(.up)) { try PlanTransform(anchors: plan.anchors([(0, 0), (50, 0), (0, 30)]), yAxis: .up) }
    _ = try PlanTransform(anchors: plan.anchors([(0, 0), (50, 30)]), yAxis: .up)
    // 30 cm of noise across a corridor is not a sign of a mirrored plan.
    let corridor = plan.anchors([(0, 0), (20, 0.2), (40, 0)])
    _ = try PlanTransform(
      anchors: [corridor[0], corridor[1].moved(east: 0.3, north: -0.6), corridor[2].moved(east: 0.3, north: 0)], yAxis: .down)
  }

  @Test func `anchors that contradict each other are refused`() {
    let plan = PlacedPlan()
    // The coordinates of the corners in another order.
    let points = [corners[2], corners[1], corners[0], corners[3]]
    let anchors = zip(plan.anchors(corners), points).map { anchor, point in
      PlanAnchor(point: PlanPoint(x: point.0, y: point.1 * 5 / 3), coordinate: anchor.coordinate)
    }
    #expect(throws: PlanTransformError.self) { try PlanTransform(anchors: anchors, yAxis: .up) }
    // Corners of a square plan that are in a line on the earth.
    let square = [(0, 0), (10, 0), (10, 10), (0, 10)] as [(Double, Double)]
    let line = plan.anchors([(0, 0), (10, 0), (20, 0), (30, 0)])
    let flat = zip(square, line).map { PlanAnchor(point: PlanPoint(x: $0.0, y: $0.1), coordinate: $1.coordinate) }
    #expect(throws: PlanTransformError.contradictory) { try PlanTransform(anchors: flat, yAxis: .up) }
    #expect(throws: PlanTransformError.contradictory) { try PlanTransform(anchors: flat, yAxis: .up, fit: .affine) }
  }

  @Test func `every error names the anchors from 1 and a remedy`() {
    let texts: [(PlanTransformError, String)] = [
      (.tooFewAnchors(count: 1, required: 2), "1 anchor is too few; a plan needs at least 2"),
      (.tooFewAnchors(count: 3, required: 4), "3 anchors are too few; an affine plan needs at least 4"),
      (.tooManyAnchors(count: 1001), "1001 anchors are too many; a plan has at most 1000"),
      (.invalidPoint(anchor: 1), "anchor 2: the plan point must have finite coordinates of at most 1e9"),
      (.invalidSigma, "the accuracy of the anchors must be a finite number of metres above zero"),
      (.onePlanPoint(0, 2), "anchors 1 and 3 are in one spot of the plan; choose places that are far apart"),
      (.oneCoordinate(0, 2), "anchors 1 and 3 are in one spot on the earth; choose places that are far apart"),
      (.inLine(allBut: nil), "the anchors lie in a line; an affine plan needs anchors in at least three corners"),
      (.inLine(allBut: 3), "all anchors but anchor 4 lie in a line, so its errors would be hidden; add an anchor beside the line"),
      (
        .mirrored(.up),
        "the plan is mirrored with y up; if its origin is at the top, as in pictures, its y axis points down; or latitude and longitude are swapped"
      ),
      (
        .mirrored(.down),
        "the plan is mirrored with y down; if its origin is at the bottom, as in drawings, its y axis points up; or latitude and longitude are swapped"
      ),
      (.contradictory, "the anchors contradict each other; check that each plan point has the coordinate of the same place"),
    ]
    for (error, text) in texts { #expect("\(error)" == text) }
  }
}
