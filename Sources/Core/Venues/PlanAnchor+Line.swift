extension PlanAnchor {
  /// The distance from a line, as a share of its length, up to which an anchor lies in it.
  private static let mostShare = 0.02

  /// Returns whether three or more anchors lie in a line of the plan.
  ///
  /// A plan that is mirrored at the line then fits as well. Two anchors always lie in a line, and check nothing.
  public static func areInLine(_ anchors: [PlanAnchor]) -> Bool {
    guard anchors.count >= 3 else { return false }
    let points = anchors.map(\.point)
    // The longest line through the first point and another one, within a factor of two of the longest of all.
    guard let end = points.max(by: { $0.distance(to: points[0]) < $1.distance(to: points[0]) }) else { return false }
    let length = end.distance(to: points[0])
    guard length > 0 else { return false }
    return points.allSatisfy { point in
      let across = (end.x - points[0].x) * (point.y - points[0].y) - (end.y - points[0].y) * (point.x - points[0].x)
      return abs(across) / length <= mostShare * length
    }
  }
}
