import Beacons

extension BeaconProximity {
  /// The edges of the bands: a beacon leaves a band only a quarter beyond its edge, so that it does not flicker.
  /// The edges are literal logarithms of 0.5, 0.625, 3 and 3.75 m, so that no code runs to initialize them.
  private static let immediateEdge = (inwards: Distance(logarithm: -0.6931471805599453), outwards: Distance(logarithm: -0.4700036292457356))
  private static let nearEdge = (inwards: Distance(logarithm: 1.0986122886681098), outwards: Distance(logarithm: 1.3217558399823195))

  /// Returns the band after a new distance; `unknown` if `distance` is `nil`.
  @inline(__always)  // a part of every sighting
  public func next(distance: Distance?) -> BeaconProximity {
    guard let distance else { return .unknown }
    // Patterns compare the cases; the operator of another module would be a call.
    let isImmediate = if case .immediate = self { true } else { false }
    let wasNear = if case .near = self { true } else { isImmediate }
    if distance < (isImmediate ? Self.immediateEdge.outwards : Self.immediateEdge.inwards) { return .immediate }
    return distance < (wasNear ? Self.nearEdge.outwards : Self.nearEdge.inwards) ? .near : .far
  }
}
