import Beaconmon
import Testing

@Suite struct CameraViewTests {
  private let field = CameraView.FieldOfView(long: 90, short: 60)

  private func near(_ value: Double?, _ expected: Double) -> Bool { value.map { abs($0 - expected) < 1e-6 } ?? false }

  @Test func `a bearing is on the screen within half of the field of view, across north`() throws {
    let view = CameraView(heading: 350, orientation: .portrait, fieldOfView: field)
    for (bearing, horizontal) in [(350.0, 0.0), (20, 1), (320, -1), (-10, 0), (380, 1)] {
      let place = try #require(view.position(ofBearing: bearing))
      #expect(near(place.horizontal, horizontal), "\(bearing)")
    }
    #expect(view.position(ofBearing: 19.9)?.isVisible == true && view.position(ofBearing: 20.1)?.isVisible == false)
    #expect(view.position(ofBearing: 320.1)?.isVisible == true && view.position(ofBearing: 319.9)?.isVisible == false)
    let right = try #require(CameraView(heading: 0, fieldOfView: field).position(ofBearing: 359))
    #expect(near(right.turn, -1) && right.horizontal.map { $0 < 0 } == true)
  }

  @Test func `an overlay moves without a jump while the heading passes north`() throws {
    var last: Double?
    for tenth in stride(from: 3500, through: 3700, by: 1) {
      let view = CameraView(heading: Double(tenth % 3600) / 10, fieldOfView: field)
      let horizontal = try #require(view.position(ofBearing: 5)?.horizontal)
      if let last { #expect(horizontal < last && last - horizontal < 0.006) }
      last = horizontal
    }
  }

  @Test func `there is no position without a heading, and none for impossible values`() {
    #expect(CameraView(heading: nil, fieldOfView: field).position(ofBearing: 10) == nil)
    #expect(CameraView(heading: .nan, fieldOfView: field).position(ofBearing: 10) == nil)
    #expect(CameraView(heading: 0, fieldOfView: field).position(ofBearing: .infinity) == nil)
    #expect(CameraView(heading: 0, fieldOfView: .init(long: 180, short: 60)).position(ofBearing: 10) == nil)
    #expect(CameraView(heading: 0, fieldOfView: .init(long: 60, short: 0)).position(ofBearing: 10) == nil)
    #expect(CameraView(heading: 0, pitch: 91, fieldOfView: field).position(ofBearing: 10) == nil)
    #expect(CameraView(heading: nil, fieldOfView: field).direction == nil)
  }

  @Test func `a bearing behind the camera has only a turn`() throws {
    let view = CameraView(heading: 10, pitch: 0, fieldOfView: field)
    let behind = try #require(view.position(ofBearing: 190))
    #expect(behind.horizontal == nil && behind.vertical == nil && !behind.isVisible && behind.turn == -180)
    #expect(behind.point(width: 100, height: 100) == nil)
    #expect(near(view.position(ofBearing: 130)?.turn, 120) && near(view.position(ofBearing: 250)?.turn, -120))
  }

  @Test func `the orientation turns the heading and swaps the fields of view`() throws {
    // Portrait headings: the top edge of a device turned to the left points 90° to the left of the camera's direction.
    let left = CameraView(heading: 300, orientation: .landscapeLeft, fieldOfView: field)
    #expect(left.direction == 30 && near(left.position(ofBearing: 75)?.horizontal, 1))
    let right = CameraView(heading: 300, orientation: .landscapeRight, fieldOfView: field)
    #expect(right.direction == 210)
    let same = CameraView(heading: 30, headingOrientation: .landscapeLeft, orientation: .landscapeLeft, fieldOfView: field)
    #expect(same.direction == 30)
    #expect(CameraView(heading: 10, headingOrientation: .landscapeLeft, fieldOfView: field).direction == 280)
    #expect(near(CameraView(heading: 0, fieldOfView: field).position(ofBearing: 30)?.horizontal, 1))
  }

  @Test(arguments: CameraView.Orientation.allCases)
  func `an edge that points down gives no direction of the camera`(up: CameraView.Orientation) {
    for edge in CameraView.Orientation.allCases {
      let view = CameraView(heading: 30, headingOrientation: edge, orientation: up, fieldOfView: field)
      let isOpposite = abs(edge.rawValue - up.rawValue) == 180
      #expect((view.direction == nil) == isOpposite, "\(edge)")
      #expect((view.position(ofBearing: 30) == nil) == isOpposite, "\(edge)")
    }
  }

  @Test func `a heading of the upper edge gives no direction of a camera that looks up steeply`() {
    #expect(CameraView(heading: 30, pitch: 30, fieldOfView: field).direction == 30)
    #expect(CameraView(heading: 30, pitch: 30.1, fieldOfView: field).direction == nil)
    #expect(CameraView(heading: 30, pitch: 60, fieldOfView: field).position(ofBearing: 30, elevation: 60) == nil)
    #expect(CameraView(heading: 30, pitch: -60, fieldOfView: field).direction == 30)
    #expect(CameraView(heading: 300, orientation: .landscapeLeft, pitch: 60, fieldOfView: field).direction == 30)
  }

  @Test func `a pitch decides about the height, and without one the height is unknown`() throws {
    let level = CameraView(heading: 0, pitch: 0, fieldOfView: field)
    #expect(near(level.position(ofBearing: 0, elevation: 45)?.vertical, 1))
    let up = CameraView(heading: 0, pitch: 30, fieldOfView: field)
    #expect(near(up.position(ofBearing: 0, elevation: 30)?.vertical, 0))
    #expect(up.position(ofBearing: 0, elevation: -20)?.isVisible == false)
    let unknown = try #require(CameraView(heading: 0, fieldOfView: field).position(ofBearing: 0, elevation: 80))
    #expect(unknown.vertical == nil && unknown.isVisible && near(unknown.horizontal, 0))
    // The camera looks at the zenith: every direction of the horizon is at the border of the half sphere that it sees.
    let zenith = CameraView(heading: 0, headingOrientation: .landscapeLeft, pitch: 90, fieldOfView: field)
    #expect(zenith.position(ofBearing: 77, elevation: 0)?.isVisible == false)
  }

  @Test func `the accuracy of the heading widens the place on the screen`() throws {
    let exact = try #require(CameraView(heading: 0, fieldOfView: field).position(ofBearing: 10))
    #expect(exact.horizontalDeviation == nil)
    let rough = try #require(CameraView(heading: 0, headingAccuracy: 10, fieldOfView: field).position(ofBearing: 0))
    #expect(near(rough.horizontalDeviation, 0.305_407_289))
  }

  @Test func `a place has the bearing and the elevation from the location of the device`() throws {
    let here = Location(coordinate: LocationCoordinate2D(latitude: 47, longitude: 11), altitude: 500)
    let peak = LocationCoordinate2D(latitude: 47, longitude: 11.1)
    let view = CameraView(heading: 90, pitch: 0, fieldOfView: field)
    let place = try #require(view.position(of: peak, altitude: 2500, from: here))
    #expect(near(place.turn, -0.036_567) || abs(place.turn) < 0.05)
    // 2000 m, less 4.5 m of curvature, at 7603 m.
    #expect(place.vertical.map { abs($0 - 1995.5 / 7603.5) < 1e-3 } == true)
    #expect(view.position(of: here.coordinate, from: here) == nil)
    #expect(view.position(of: LocationCoordinate2D(latitude: 91, longitude: 0), from: here) == nil)
    let pixel = try #require(place.point(width: 1000, height: 800))
    #expect(abs(pixel.x - 500) < 2 && pixel.y < 400)
  }
}
