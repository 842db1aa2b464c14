import Geodesy
import RealModule
import Venues

// Warnings about pictures and the earth.

extension VenueDocument {
  /// The smallest and the largest angle in degrees between a picture's vertical and y at which one of both is probably wrong.
  private static let doubtfulAngles = 1.0...15.0

  /// Whether a picture shows most of a level.
  private func covers(_ picture: PlanPicture, _ frame: VenueFrame, _ level: PlanBounds) -> Bool {
    picture.corners(in: frame).flatMap { PlanBounds(of: $0) }?.coversMost(of: level) ?? false
  }

  /// Warnings about pictures whose anchors contradict the frame.
  var displacedPictures: [ConfigurationProblem] {
    guard let frame = venue.frame else { return [] }
    return venue.levels.indices.flatMap { index -> [ConfigurationProblem] in
      let level = venue.levels[index]
      guard let picture = level.picture, let corners = picture.corners(in: frame), let box = PlanBounds(of: corners) else { return [] }
      func warn(_ message: String) -> ConfigurationProblem { warning(lines.levels[index], "level \(level.id.quoted): anchors: \(message)") }
      var found: [ConfigurationProblem] = []
      if let bounds = venue.bounds(ofLevel: level.id), !covers(picture, frame, bounds) {
        if let origin = frame.origin.swapped, covers(picture, VenueFrame(origin: origin, bearing: frame.bearing), bounds) {
          return [
            warn("fit [frame] only if latitude and longitude of one of them are swapped; exchange those of the anchors or of [frame]")
          ]
        }
        found.append(
          warn(
            "place the picture from \(box.least.text) to \(box.most.text) of the plan, but the level reaches from \(bounds.least.text) to "
              + "\(bounds.most.text); correct the anchors, or latitude and longitude of [frame]"))
      }
      let turn = picture.turn(in: frame) ?? 0
      if Self.doubtfulAngles.contains(abs(turn)) {
        let bearing = frame.bearing + turn
        func degrees(_ value: Double) -> String { "\((value * 10).rounded() / 10 + 0)" }
        found.append(
          warn(
            "turn the picture to a bearing of \(degrees(bearing)) degrees, but [frame] has \(degrees(frame.bearing)); correct one of them"))
      }
      return found
    }
  }
}

extension PlanPicture {
  private func points(_ pixels: [(Double, Double)], in frame: VenueFrame) -> [PlanPoint]? {
    let points = pixels.compactMap { transform?.coordinate(for: PlanPoint(x: $0.0, y: $0.1)).map(frame.point) }
    return points.count == pixels.count && points.allSatisfy(\.isFinite) ? points : nil
  }

  /// Returns the corners on the plan; nil without anchors.
  fileprivate func corners(in frame: VenueFrame) -> [PlanPoint]? {
    let (right, bottom) = (Double(width), Double(height))
    return points([(0, 0), (right, 0), (right, bottom), (0, bottom)], in: frame)
  }

  /// Returns the angle in degrees from y of the plan to the vertical of the picture, clockwise; nil without anchors.
  fileprivate func turn(in frame: VenueFrame) -> Double? {
    guard let points = points([(0, Double(height)), (0, 0)], in: frame) else { return nil }
    return Double.atan2(y: points[1].x - points[0].x, x: points[1].y - points[0].y) * 180 / .pi
  }
}

extension PlanBounds {
  /// Whether at least half of another rectangle lies in this one.
  fileprivate func coversMost(of other: PlanBounds) -> Bool {
    func overlap(_ low: Double, _ high: Double, _ otherLow: Double, _ otherHigh: Double) -> Double {
      guard otherHigh > otherLow else { return low <= otherLow && otherLow <= high ? 1 : 0 }
      return max(0, min(high, otherHigh) - max(low, otherLow)) / (otherHigh - otherLow)
    }
    return overlap(least.x, most.x, other.least.x, other.most.x) * overlap(least.y, most.y, other.least.y, other.most.y) >= 0.5
  }
}

extension Coordinate {
  /// The coordinate with the longitude as the latitude; nil if there is none.
  fileprivate var swapped: Coordinate? { Coordinate(latitude: longitude, longitude: latitude) }
}
