/// How near a beacon is, in the bands that Core Location made common.
public enum BeaconProximity: String, Sendable, CaseIterable {
  case unknown
  /// Below 0.5 m.
  case immediate
  /// Below 3 m.
  case near
  case far

  /// The outer edges of immediate and near, metres.
  private static let edges = (immediate: 0.5, near: 3.0)
  /// A band is left outwards only this much beyond its edge, so that a beacon on the edge does not flicker.
  private static let stickiness = 1.25

  /// The band after a new distance in metres, nil when there is none.
  public func next(distance: Double?) -> BeaconProximity {
    guard let distance else { return .unknown }
    let immediate = self == .immediate ? Self.edges.immediate * Self.stickiness : Self.edges.immediate
    if distance < immediate { return .immediate }
    let near = self == .immediate || self == .near ? Self.edges.near * Self.stickiness : Self.edges.near
    return distance < near ? .near : .far
  }
}
