import Beacons

extension BeaconProximity {
  /// The edges of the bands: a beacon leaves a band only a quarter beyond its edge, so that it does not flicker.
  /// The edges are literal logarithms of 0.5, 0.625, 3 and 3.75 m, so that no code runs to initialize them.
  fileprivate static let immediateEdge = (
    inwards: Distance(logarithm: -0.6931471805599453), outwards: Distance(logarithm: -0.4700036292457356)
  )
  fileprivate static let nearEdge = (inwards: Distance(logarithm: 1.0986122886681098), outwards: Distance(logarithm: 1.3217558399823195))

  /// Returns the band after a new distance; `unknown` if `distance` is `nil`.
  public func next(distance: Distance?) -> BeaconProximity {
    guard let distance else { return .unknown }
    let isImmediate = self == .immediate
    let wasNear = self == .near || isImmediate
    if distance < (isImmediate ? Self.immediateEdge.outwards : Self.immediateEdge.inwards) { return .immediate }
    return distance < (wasNear ? Self.nearEdge.outwards : Self.nearEdge.inwards) ? .near : .far
  }
}

/// The distances at which a beacon stays in its band.
///
/// They are stored, so that a sighting compares with them alone. A processor predicts that a beacon stays in its band, but not which band
/// the next beacon is in.
struct ProximityBand: Hashable, Sendable {
  /// The distance below which a beacon leaves the band.
  private let inner: Distance
  /// The distance from which on a beacon leaves the band.
  private let outer: Distance

  /// Creates the distances of a band; every distance leaves the unknown one.
  init(of proximity: BeaconProximity) {
    (inner, outer) =
      switch proximity {
      case .unknown: (Distance(logarithm: .infinity), Distance(logarithm: -.infinity))
      case .immediate: (Distance(logarithm: -.infinity), BeaconProximity.immediateEdge.outwards)
      case .near: (BeaconProximity.immediateEdge.inwards, BeaconProximity.nearEdge.outwards)
      case .far: (BeaconProximity.nearEdge.inwards, Distance(logarithm: .infinity))
      }
  }

  @inline(__always)  // a part of every sighting
  func contains(_ distance: Distance?) -> Bool {
    guard let distance else { return false }
    return distance >= inner && distance < outer
  }
}
