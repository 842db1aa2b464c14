import Beaconmon
import Testing

@Suite struct FloorPlanTests {
  private static func anchor(_ x: Double, _ y: Double, _ latitude: Double, _ longitude: Double) -> FloorPlan.Anchor {
    FloorPlan.Anchor(
      point: FloorPlan.Point(x: x, y: y), coordinate: LocationCoordinate2D(latitude: latitude, longitude: longitude))
  }

  /// A picture with north up and 0.1 m per pixel: a second of latitude is 30.8871 m at 48°, one of longitude 20.7274 m.
  private static func picture() -> [FloorPlan.Anchor] {
    let (latitude, longitude) = (1 / 3600.0, 1 / 3600.0)
    return [
      anchor(0, 0, 48, 11), anchor(207.274, 0, 48, 11 + longitude), anchor(207.274, 308.871, 48 - latitude, 11 + longitude),
      anchor(0, 308.871, 48 - latitude, 11),
    ]
  }

  @Test func `a floor plan is exact to a centimetre at its anchors in both directions`() throws {
    let plan = try galleryPlan()
    for (x, y, latitude, longitude) in [(120, 80, 48.13740, 11.57520), (2280, 1500, 48.13690, 11.57610)]
      as [(Double, Double, Double, Double)]
    {
      let coordinate = LocationCoordinate2D(latitude: latitude, longitude: longitude)
      let point = try #require(plan.point(for: coordinate))
      #expect(abs(point.x - x) * plan.metresPerUnit < 0.01 && abs(point.y - y) * plan.metresPerUnit < 0.01)
      let place = try #require(plan.coordinate(for: FloorPlan.Point(x: x, y: y)))
      #expect(Location(coordinate: place).distance(from: Location(coordinate: coordinate)) < 0.01)
    }
    #expect(plan.residuals.allSatisfy { $0 < 0.01 })
  }

  @Test(arguments: [.similarity, .affine] as [FloorPlan.Fit])
  func `a picture with north up has its scale, its residuals and its expected error`(fit: FloorPlan.Fit) throws {
    let plan = try FloorPlan(anchors: Self.picture(), yAxis: .down, fit: fit)
    #expect(abs(plan.metresPerUnit - 0.1) < 1e-4)
    #expect(plan.residuals.count == 4 && plan.residuals.allSatisfy { $0 < 0.01 })
    let place = try #require(plan.coordinate(for: FloorPlan.Point(x: 103.637, y: 308.871 / 4)))
    #expect(abs(place.latitude - (48 - 0.25 / 3600)) < 1e-7 && abs(place.longitude - (11 + 0.5 / 3600)) < 1e-7)
    let middle = FloorPlan.Point(x: 103.637, y: 154.4355)
    let sigma = fit == .similarity ? (0.18 / 6).squareRoot() : (0.18 / 4).squareRoot()
    #expect(abs(plan.expectedError(at: middle) - sigma / 2) < 1e-3)
    #expect(plan.expectedError(at: FloorPlan.Point(x: .nan, y: 0)) == .infinity)
    #expect(plan.coordinate(for: FloorPlan.Point(x: .nan, y: 0)) == nil)
    #expect(plan.point(for: LocationCoordinate2D(latitude: .nan, longitude: 0)) == nil)
    #expect(plan.point(for: LocationCoordinate2D(latitude: -48, longitude: -169)) == nil)
  }

  @Test func `anchors that are too close together for the plan cause a warning`() throws {
    let anchors = [Self.anchor(0, 0, 48, 11), Self.anchor(20.7274, 30.8871, 48 - 0.1 / 3600, 11 + 0.1 / 3600)]
    let plan = try FloorPlan(anchors: anchors, yAxis: .down, anchorAccuracy: 0.1)
    let corners = [(0, 0), (300, 0), (300, 400), (0, 400)].map { FloorPlan.Point(x: $0, y: $1) }
    let warning = try #require(plan.shortBaseline(for: corners))
    #expect(abs(warning.baseline - 3.72) < 0.01 && abs(warning.extent - 50) < 0.1 && warning.worstError > 1)
    #expect(try FloorPlan(anchors: Self.picture(), yAxis: .down).shortBaseline(for: corners) == nil)
  }

  @Test func `the marker of a location contains its accuracy and that of the plan`() throws {
    let plan = try FloorPlan(anchors: [Self.picture()[0], Self.picture()[2]], yAxis: .down)
    let location = Location(coordinate: LocationCoordinate2D(latitude: 48, longitude: 11), horizontalAccuracy: 0.4)
    let (center, radius) = try #require(marker(of: location, on: plan))
    #expect(abs(center.x) < 0.1 && abs(center.y) < 0.1 && abs(radius - 5) < 0.01)
    #expect(marker(of: Location(latitude: 48, longitude: 11), on: plan) == nil)
  }

  @Test func `each error has a code and a message`() {
    let picture = Self.picture()
    var line = picture
    for index in line.indices { line[index].point = FloorPlan.Point(x: Double(index), y: 2 * Double(index)) }
    let flat = zip(picture, [0, 0.1, 0.2, 0.3]).map { Self.anchor($0.point.x, $0.point.y, 48, 11 + $1 / 3600) }
    let cases: [(FloorPlanError.Code, [FloorPlan.Anchor], FloorPlan.YAxis, FloorPlan.Fit, Double)] = [
      (.tooFewAnchors, [picture[0]], .down, .similarity, 0.3),
      (.tooManyAnchors, Array(repeating: picture[0], count: 1001), .down, .similarity, 0.3),
      (.invalidAnchor, picture + [Self.anchor(.nan, 0, 48, 11)], .down, .similarity, 0.3),
      (.invalidAnchor, picture + [Self.anchor(9, 9, .nan, 11)], .down, .similarity, 0.3),
      (.invalidAnchor, picture + [Self.anchor(9, 9, 48, 181)], .down, .similarity, 0.3),
      (.invalidAccuracy, picture, .down, .similarity, 0),
      (.anchorsInOneSpot, picture + [Self.anchor(0, 0, 48.0001, 11)], .down, .similarity, 0.3),
      (.anchorsInOneSpot, picture + [Self.anchor(9, 9, 48, 11)], .down, .similarity, 0.3),
      (.tooFarApart, picture + [Self.anchor(9, 9, 11, 48)], .down, .similarity, 0.3),
      (.anchorsInLine, line, .down, .affine, 0.3),
      (.mirrored, picture, .up, .similarity, 0.3),
      (.contradictory, flat, .down, .affine, 0.3),
    ]
    for (code, anchors, yAxis, fit, accuracy) in cases {
      let error = #expect(throws: FloorPlanError.self) {
        try FloorPlan(anchors: anchors, yAxis: yAxis, fit: fit, anchorAccuracy: accuracy)
      }
      #expect(error?.code == code && error?.message.isEmpty == false, "\(code): \(String(describing: error))")
    }
    let outside = #expect(throws: FloorPlanError.self) { try FloorPlan(anchors: [Self.anchor(0, 0, 91, 0)], yAxis: .up) }
    #expect(outside?.description == "anchor 1: the latitude must lie within -90 to 90 and the longitude within -180 to 180")
  }
}
