import Geodesy
import RealModule
import Venues

extension VenueFrame {
  /// Creates a frame along the walls of outlines, with the origin in their corner at the bottom left.
  ///
  /// The y axis points less than 45° away from north, along the edges that are the longest together. The origin is a whole number of
  /// metres away from the middle. Nil without outlines.
  init?(along outlines: [[Coordinate]], around middle: Coordinate) {
    let plane = TangentPlane(at: middle)
    let rings = outlines.map { $0.map(plane.offset) }
    // Four times the angle makes parallel and perpendicular edges the same.
    var (sine, cosine, total) = (0.0, 0.0, 0.0)
    for ring in rings {
      for (start, end) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        let (east, north) = (end.east - start.east, end.north - start.north)
        let length = Double.hypot(east, north)
        let angle = 4 * Double.atan2(y: east, x: north)
        sine += length * .sin(angle)
        cosine += length * .cos(angle)
        total += length
      }
    }
    guard total > 0 else { return nil }
    // A round building has no direction.
    let isDirected = Double.hypot(sine, cosine) > 0.2 * total
    let bearing = isDirected ? (Double.atan2(y: sine, x: cosine) / 4 * 180 / .pi * 10).rounded() / 10 + 0 : 0
    let turned = VenueFrame(origin: middle, bearing: bearing)
    guard let bounds = PlanBounds(of: outlines.joined().map(turned.point)) else { return nil }
    // The corners of one wall differ by the rounding of degrees.
    let corner = PlanPoint(x: (bounds.least.x + 0.02).rounded(.down), y: (bounds.least.y + 0.02).rounded(.down))
    guard let place = turned.coordinate(for: corner),
      let origin = Coordinate(latitude: place.latitude.degrees7, longitude: place.longitude.degrees7)
    else { return nil }
    self.init(origin: origin, bearing: bearing)
  }
}

extension Double {
  /// The degrees to seven decimals, one centimetre, which is the limit of the standard.
  var degrees7: Double { (self * 1e7).rounded() / 1e7 + 0 }
}
