/// The proximity of a beacon, in the bands that Core Location made common.
public enum BeaconProximity: String, Sendable, CaseIterable {
  case unknown
  /// Below 0.5 m.
  case immediate
  /// Below 3 m.
  case near
  case far
}
