import Geodesy
import Testing
import Venues

@Suite struct GeoreferenceTests {
  private static let size = (width: 2400, height: 1600)

  /// A picture whose upper edge points 30° north of east, with anchors that fit exactly.
  private func picture(name: String = "ground.png") throws -> PlanPicture {
    let frame = VenueFrame(origin: try #require(Coordinate(latitude: 48.137, longitude: 11.575)), bearing: -30)
    let pixels = [PlanPoint(x: 120, y: 80), PlanPoint(x: 2280, y: 1500), PlanPoint(x: 200, y: 1400)]
    let anchors = try pixels.map { pixel in
      PlanAnchor(point: pixel, coordinate: try #require(frame.coordinate(for: PlanPoint(x: pixel.x / 20, y: -pixel.y / 20))))
    }
    return PlanPicture(
      image: name, width: Self.size.width, height: Self.size.height, transform: try PlanTransform(anchors: anchors, yAxis: .down))
  }

  @Test func `a world file places the middles of pixels to a centimetre`() throws {
    let picture = try picture()
    let numbers = try #require(picture.worldFile).split(separator: "\n").compactMap { Double($0) }
    try #require(numbers.count == 6)
    for (column, row) in [(0, 0), (2399, 0), (0, 1599), (2399, 1599), (1200, 800)] {
      let longitude = numbers[0] * Double(column) + numbers[2] * Double(row) + numbers[4]
      let latitude = numbers[1] * Double(column) + numbers[3] * Double(row) + numbers[5]
      let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
      let truth = try #require(picture.transform?.coordinate(for: PlanPoint(x: Double(column) + 0.5, y: Double(row) + 0.5)))
      #expect(place.distance(to: truth) < 0.01)
    }
  }

  @Test func `points for QGIS have negative rows and small residuals`() throws {
    let lines = try #require(try picture().qgisPoints).split(separator: "\n")
    #expect(lines.count == 5 && lines[0].hasPrefix("#CRS: GEOGCRS[\"WGS 84\""))
    #expect(lines[1] == "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual")
    let numbers = lines[2].split(separator: ",").compactMap { Double($0) }
    #expect(numbers.count == 8)
    #expect(Array(numbers[2...4]) == [120, -80, 1])
    #expect(numbers[0] > 11 && numbers[0] < 12 && numbers[1] > 48)
    #expect(abs(numbers[7]) < 0.01)
  }

  @Test func `an overlay in KML has the corners counterclockwise from the bottom left`() throws {
    let picture = try picture(name: "a&b<1>.png")
    let text = try #require(picture.kml(name: "Ground & first"))
    #expect(text.contains("<href>a&amp;b&lt;1&gt;.png</href>") && text.contains("<name>Ground &amp; first</name>"))
    let start = try #require(text.firstRange(of: "<coordinates>")).upperBound
    let end = try #require(text.firstRange(of: "</coordinates>")).lowerBound
    let corners = text[start..<end].split(separator: " ").compactMap { pair -> Coordinate? in
      let numbers = pair.split(separator: ",").compactMap { Double($0) }
      return numbers.count == 2 ? Coordinate(latitude: numbers[1], longitude: numbers[0]) : nil
    }
    try #require(corners.count == 4)
    for (corner, pixel) in zip(corners, [(0.0, 1600.0), (2400, 1600), (2400, 0), (0, 0)]) {
      let truth = try #require(picture.transform?.coordinate(for: PlanPoint(x: pixel.0, y: pixel.1)))
      #expect(corner.distance(to: truth) < 0.001)
    }
  }

  @Test func `a picture without anchors has no place`() {
    let picture = PlanPicture(image: "ground.png", width: 10, height: 10)
    #expect(picture.worldFile == nil && picture.qgisPoints == nil && picture.kml(name: "x") == nil)
  }
}
