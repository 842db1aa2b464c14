public import Geodesy

/// The transform between a floor plan and the earth, fitted to anchors by least squares.
///
/// It acts in the plane in metres that touches the earth in the middle of the anchors. The similarity is the plane Helmert
/// transformation: shift, rotation and one scale. Two consistent anchors, and any number of them, are exact to less than a millimetre
/// in both directions.
public struct PlanTransform: Hashable, Sendable {
  public enum Fit: Hashable, Sendable {
    /// Shift, rotation and one scale, from two anchors on.
    case similarity
    /// A similarity with a scale for each axis and a shear, as in a photograph of a plan, from four anchors on.
    case affine

    var leastAnchors: Int { self == .similarity ? 2 : 4 }
    /// The anchors whose coordinates the parameters could reproduce exactly.
    fileprivate var absorbedAnchors: Int { self == .similarity ? 2 : 3 }
  }

  /// The direction of the plan's y axis. The x axis points to the right.
  public enum YAxis: Hashable, Sendable {
    /// Drawings and plans in metres, with the origin at the bottom.
    case up
    /// Pictures in pixels, with the origin at the top.
    case down
  }

  /// A warning that the anchors' errors more than double in a corner of the plan.
  ///
  /// The anchors are too close together, or too far to one side.
  public struct ShortBaseline: Hashable, Sendable {
    /// The longest distance between two anchors, in metres.
    public let baseline: Double
    /// The longest distance between two corners of the plan, in metres.
    public let extent: Double
    /// The expected error in the worst corner, in metres.
    public let worstError: Double
  }

  public static let mostAnchors = 1000
  /// The longest distance between two anchors in metres. The largest airports measure 7 km.
  public static let mostExtent = 10_000.0
  /// The largest magnitude of a coordinate on the plan.
  public static let mostPlanCoordinate = 1e9
  /// The assumed standard deviation of an anchor in metres: a corner of a building in an aerial picture.
  public static let defaultAnchorSigma = 0.3

  public let anchors: [PlanAnchor]
  public let yAxis: YAxis
  public let fit: Fit
  /// The distance in metres of each anchor's coordinate from the transformed plan point.
  ///
  /// Zero for two anchors, whatever their errors.
  public let residuals: [Double]
  /// The standard deviation of an anchor along each axis in metres, by the residuals and the stated value.
  public let anchorSigma: Double
  private let plane: TangentPlane
  private let map: LinearMap
  private let planMean, earthMean: PlaneVector
  private let planMoments: SymmetricMatrix

  /// Fits the transform.
  ///
  /// - Parameters:
  ///   - yAxis: the direction of y. Two anchors fit either direction, so a wrong one is noticed from three anchors on.
  ///   - anchorSigma: the standard deviation of an anchor along each axis in metres. It alone decides about the expected error of two
  ///     anchors. With more anchors it weighs as much as the residuals of one anchor.
  public init(
    anchors: [PlanAnchor], yAxis: YAxis, fit: Fit = .similarity, anchorSigma: Double = defaultAnchorSigma
  ) throws(PlanTransformError) {
    guard anchorSigma > 0, anchorSigma.isFinite else { throw .invalidSigma }
    try Self.check(anchors, for: fit)
    let first = TangentPlane(at: anchors[0].coordinate)
    let middle = PlaneVector.mean(of: anchors.map { PlaneVector(first.offset(to: $0.coordinate)) })
    let plane = TangentPlane(at: first.coordinate(east: middle.x, north: middle.y) ?? anchors[0].coordinate)
    let points = anchors.map { PlaneVector($0.point, yAxis) }
    let places = anchors.map { PlaneVector(plane.offset(to: $0.coordinate)) }
    let moments = AnchorMoments(plan: points, earth: places)
    let map = try Self.map(moments, points, fit, yAxis)
    let errors = zip(points, places).map { point, place in place - moments.earthMean - map(point - moments.planMean) }

    self.anchors = anchors
    self.yAxis = yAxis
    self.fit = fit
    self.plane = plane
    self.map = map
    planMean = moments.planMean
    earthMean = moments.earthMean
    planMoments = moments.plan
    residuals = errors.map(\.length)
    // The stated variance is a prior with two degrees of freedom, the two axes of one anchor (Gelman et al., Bayesian Data Analysis, 2.6).
    let freedom = 2 * (anchors.count - fit.absorbedAnchors)
    let squares = errors.reduce(0) { $0 + $1.squaredLength }
    self.anchorSigma = ((2 * anchorSigma * anchorSigma + squares) / Double(2 + freedom)).squareRoot()
  }

  private static func check(_ anchors: [PlanAnchor], for fit: Fit) throws(PlanTransformError) {
    guard anchors.count >= fit.leastAnchors else { throw .tooFewAnchors(count: anchors.count, required: fit.leastAnchors) }
    guard anchors.count <= mostAnchors else { throw .tooManyAnchors(count: anchors.count) }
    var magnitude = 1.0
    for (number, anchor) in anchors.enumerated() {
      let most = max(abs(anchor.point.x), abs(anchor.point.y))
      // A maximum with NaN is not always NaN.
      guard anchor.point.x.isFinite, anchor.point.y.isFinite, most <= mostPlanCoordinate else { throw .invalidPoint(anchor: number) }
      magnitude = max(magnitude, most)
    }
    let points = anchors.map { PlaneVector($0.point, .up) }
    for (second, anchor) in anchors.enumerated() {
      for first in 0..<second {
        guard (points[first] - points[second]).length > 1e-9 * magnitude else { throw .onePlanPoint(first, second) }
        let distance = anchors[first].coordinate.distance(to: anchor.coordinate)
        guard distance <= mostExtent else { throw .tooFarApart(first, second, metres: distance) }
        guard distance >= 0.01 else { throw .oneCoordinate(first, second) }
      }
    }
  }

  private static func map(
    _ moments: AnchorMoments, _ points: [PlaneVector], _ fit: Fit, _ yAxis: YAxis
  ) throws(PlanTransformError) -> LinearMap {
    switch fit {
    case .similarity:
      guard !moments.isMirrored else { throw .mirrored(yAxis) }
      guard moments.reproduced > 0.5 else { throw .contradictory }
      return moments.similarity
    case .affine:
      guard !moments.plan.isLine else { throw .inLine(allBut: nil) }
      if let single = points.firstIndex(where: { moments.planMoments(without: $0).isLine }) { throw .inLine(allBut: single) }
      let map = moments.affine
      // The ratio of the scales along the axes of the ellipse that a circle becomes, for narrow ellipses; negative if it is mirrored.
      let ratio = map.determinant / map.squaredNorm
      guard ratio > -0.01 else { throw .mirrored(yAxis) }
      guard ratio > 0.01 else { throw .contradictory }
      return map
    }
  }

  /// Returns the place on the earth, or nil if the point is not finite or twice as far from the anchors as a plan reaches.
  public func coordinate(for point: PlanPoint) -> Coordinate? {
    let offset = earthMean + map(PlaneVector(point, yAxis) - planMean)
    guard offset.length <= 2 * Self.mostExtent else { return nil }
    return plane.coordinate(east: offset.x, north: offset.y)
  }

  /// Returns the point on the plan, in its unit, or nil if the place is twice as far from the anchors as a plan reaches.
  public func point(for coordinate: Coordinate) -> PlanPoint? {
    guard plane.origin.distance(to: coordinate) <= 2 * Self.mostExtent else { return nil }
    let vector = planMean + map.inverse(PlaneVector(plane.offset(to: coordinate)) - earthMean)
    return PlanPoint(x: vector.x, y: yAxis == .up ? vector.y : -vector.y)
  }

  /// Returns the expected error of the transform at a point, in metres.
  ///
  /// The error is one standard deviation along each axis on the earth, and infinite if the point is not finite.
  /// The covariance of the least-squares estimate gives σ²(1/n + r²/Σr²) for the similarity, with the distances r from the middle of the
  /// anchors, and σ²(1/n + rᵀ(Σrrᵀ)⁻¹r) for the affine map. It contains the anchors' errors, not those of the plan itself.
  public func expectedError(at point: PlanPoint) -> Double {
    let error = anchorSigma * leverage(of: point).squareRoot()
    return error.isFinite ? error : .infinity
  }

  private func leverage(of point: PlanPoint) -> Double {
    let r = PlaneVector(point, yAxis) - planMean
    let share = fit == .similarity ? r.squaredLength / planMoments.trace : planMoments.squaredNorm(of: r)
    return 1 / Double(anchors.count) + share
  }

  /// The length of a unit of the plan in metres. For an affine map, its square is the area of a square unit.
  public var metresPerUnit: Double { map.determinant.squareRoot() }

  /// Returns a warning if the anchors' errors more than double in a corner of the plan.
  ///
  /// Nil if the anchors span the plan, or if there is no corner.
  /// Two anchors in the middle of a plan need 0.38 of its diagonal between them.
  public func shortBaseline(for corners: [PlanPoint]) -> ShortBaseline? {
    guard let worst = corners.map(expectedError).max(), worst > 2 * anchorSigma else { return nil }
    let ends = corners.map { map(PlaneVector($0, yAxis)) }
    let places = anchors.map { PlaneVector(plane.offset(to: $0.coordinate)) }
    return ShortBaseline(baseline: Self.longest(places), extent: Self.longest(ends), worstError: worst)
  }

  private static func longest(_ vectors: [PlaneVector]) -> Double {
    var most = 0.0
    for (end, vector) in vectors.enumerated() {
      for start in 0..<end { most = max(most, (vector - vectors[start]).squaredLength) }
    }
    return most.squareRoot()
  }
}

extension PlaneVector {
  init(_ point: PlanPoint, _ yAxis: PlanTransform.YAxis) {
    self.init(x: point.x, y: yAxis == .up ? point.y : -point.y)
  }

  init(_ offset: (east: Double, north: Double)) {
    self.init(x: offset.east, y: offset.north)
  }
}
