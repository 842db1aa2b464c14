import Geodesy

// The place of a picture on the earth, for other programs. Coordinates are longitudes and latitudes in degrees on WGS84 (EPSG:4326):
// metres of Web Mercator would be longer than those of the plan.

extension PlanPicture {
  /// The lines of a world file; nil without anchors.
  ///
  /// The file has six numbers: the step to the right in x and in y, the step down likewise, and the middle of the top left pixel. It states
  /// no reference system. The affine map of degrees is off by less than 5 cm on a plan of 500 m.
  public var worldFile: String? {
    guard let corners = coordinates else { return nil }
    // In the order of the corners: bottom left, bottom right, top right, top left.
    func steps(_ value: (Coordinate) -> Double) -> (right: Double, down: Double, first: Double) {
      let values = corners.map(value)
      let right = (values[1] - values[0] + values[2] - values[3]) / 2 / Double(width)
      let down = (values[0] - values[3] + values[1] - values[2]) / 2 / Double(height)
      let middle = values.reduce(0, +) / 4
      return (right, down, middle - right * Double(width - 1) / 2 - down * Double(height - 1) / 2)
    }
    let (x, y) = (steps(\.longitude), steps(\.latitude))
    return [x.right, y.right, x.down, y.down, x.first, y.first].map { "\($0)\n" }.joined()
  }

  /// The anchors as ground control points for the georeferencer of QGIS; nil without anchors.
  ///
  /// Its rows count down from zero, so that pixels have negative y. The residuals are in pixels.
  public var qgisPoints: String? {
    guard let transform else { return nil }
    var lines = ["#CRS: \(Self.wgs84)", "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual"]
    for anchor in transform.anchors {
      let place = transform.point(for: anchor.coordinate) ?? anchor.point
      let (dx, dy) = (place.x - anchor.point.x, anchor.point.y - place.y)
      let residual = (dx * dx + dy * dy).squareRoot()
      let numbers = [anchor.coordinate.longitude, anchor.coordinate.latitude, anchor.point.x, 0 - anchor.point.y]
      lines.append((numbers.map { "\($0)" } + ["1", "\(dx)", "\(dy)", "\(residual)"]).joined(separator: ","))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The picture as an overlay in KML, by the coordinates of its corners; nil without anchors.
  ///
  /// A quadrilateral needs no rotation, whose sign programs disagree about.
  ///
  /// - Parameter name: the name that the program shows.
  public func kml(name: String) -> String? {
    guard let corners = coordinates else { return nil }
    let text = corners.map { "\($0.longitude),\($0.latitude)" }.joined(separator: " ")
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
        <GroundOverlay>
          <name>\(name.xml)</name>
          <Icon><href>\(image.xml)</href></Icon>
          <gx:LatLonQuad><coordinates>\(text)</coordinates></gx:LatLonQuad>
        </GroundOverlay>
      </kml>

      """
  }

  /// The coordinates of the corners: bottom left, bottom right, top right, top left; nil without anchors.
  private var coordinates: [Coordinate]? {
    guard let transform else { return nil }
    let (right, bottom) = (Double(width), Double(height))
    let corners = [PlanPoint(x: 0, y: bottom), PlanPoint(x: right, y: bottom), PlanPoint(x: right, y: 0), PlanPoint(x: 0, y: 0)]
    let coordinates = corners.compactMap(transform.coordinate)
    return coordinates.count == corners.count ? coordinates : nil
  }

  /// WGS84 as QGIS writes it (ISO 19162).
  private static let wgs84 =
    "GEOGCRS[\"WGS 84\",DATUM[\"World Geodetic System 1984\",ELLIPSOID[\"WGS 84\",6378137,298.257223563,LENGTHUNIT[\"metre\",1]]],"
    + "PRIMEM[\"Greenwich\",0,ANGLEUNIT[\"degree\",0.0174532925199433]],CS[ellipsoidal,2],"
    + "AXIS[\"geodetic latitude (Lat)\",north,ORDER[1],ANGLEUNIT[\"degree\",0.0174532925199433]],"
    + "AXIS[\"geodetic longitude (Lon)\",east,ORDER[2],ANGLEUNIT[\"degree\",0.0174532925199433]],ID[\"EPSG\",4326]]"
}

extension String {
  /// The text for the content of an element of XML.
  fileprivate var xml: String {
    var text = ""
    for character in self {
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      default: text.append(character)
      }
    }
    return text
  }
}
