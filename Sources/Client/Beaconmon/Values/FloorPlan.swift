internal import Geodesy
internal import Venues

/// A floor plan on the earth: converts between points of a picture or drawing and coordinates.
///
/// A plan needs two anchors, places known on both, as far apart as possible. More anchors show mistakes as residuals. The transform is
/// the plane Helmert transformation by least squares: shift, rotation and one scale, in metres on the plane that touches the earth in
/// the middle of the anchors. It is exact to a millimetre where the anchors are consistent.
public struct FloorPlan: Hashable, Sendable {
  /// A point on a plan, in the unit of the plan: pixels of a picture, or metres.
  public struct Point: Hashable, Sendable {
    /// The distance to the right of the plan's origin.
    public var x: Double
    /// The distance above or below the plan's origin, as the plan's `YAxis` states.
    public var y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// A place that is known both on the plan and on the earth.
  public struct Anchor: Hashable, Sendable {
    public var point: Point
    public var coordinate: LocationCoordinate2D

    public init(point: Point, coordinate: LocationCoordinate2D) {
      self.point = point
      self.coordinate = coordinate
    }
  }

  /// The direction of a plan's y axis. The x axis points to the right.
  public enum YAxis: Hashable, Sendable {
    /// Drawings and PDF pages, with the origin at the bottom.
    case up
    /// Pictures and screens, with the origin at the top.
    case down
  }

  /// The kind of transform.
  public enum Fit: Hashable, Sendable {
    /// Shift, rotation and one scale, from at least two anchors.
    case similarity
    /// A similarity with a scale for each axis and a shear, from at least four anchors. For photographs and distorted scans.
    case affine
  }

  /// A warning that the anchors' errors more than double in a corner of the plan.
  public struct ShortBaseline: Hashable, Sendable {
    /// The longest distance between two anchors, in metres.
    public let baseline: Double
    /// The longest distance between two corners of the plan, in metres.
    public let extent: Double
    /// The expected error in the worst corner: one standard deviation along each axis, in metres.
    public let worstError: Double
  }

  private let transform: PlanTransform

  /// Creates a plan from 2 to 1000 anchors.
  ///
  /// - Parameters:
  ///   - anchors: points of the plan with their coordinates.
  ///   - yAxis: the direction of y on the plan. A wrong direction mirrors the plan. From three anchors on, the initializer then throws
  ///     `mirrored`; two anchors fit both directions.
  ///   - fit: whether the plan may be sheared and scaled differently along its axes.
  ///   - anchorAccuracy: the accuracy of an anchor's coordinate: one standard deviation along each axis, in metres. The default suits
  ///     corners of a building in an aerial picture. It alone decides about the expected error of two anchors; with more anchors it
  ///     weighs as much as the residuals of one.
  /// - Throws: `FloorPlanError` for a mirrored plan, and for anchors that are too few, too many, invalid, in one spot, more than 10 km
  ///   apart or contradictory. An affine fit also throws if all anchors, or all but one, lie in a line.
  public init(
    anchors: [Anchor], yAxis: YAxis, fit: Fit = .similarity, anchorAccuracy: Double = 0.3
  ) throws(FloorPlanError) {
    var known: [PlanAnchor] = []
    for (number, anchor) in anchors.enumerated() {
      guard let coordinate = anchor.coordinate.coordinate else {
        throw FloorPlanError(
          .invalidAnchor, "anchor \(number + 1): the latitude must lie within -90 to 90 and the longitude within -180 to 180")
      }
      known.append(PlanAnchor(point: PlanPoint(anchor.point), coordinate: coordinate))
    }
    do {
      transform = try PlanTransform(
        anchors: known, yAxis: yAxis == .up ? .up : .down, fit: fit == .affine ? .affine : .similarity, anchorSigma: anchorAccuracy)
    } catch {
      throw FloorPlanError(error)
    }
  }

  /// Returns the point of a coordinate, on the plan or beside it.
  ///
  /// Nil if the coordinate is invalid or more than 20 km from the anchors.
  public func point(for coordinate: LocationCoordinate2D) -> Point? {
    coordinate.coordinate.flatMap(transform.point).map { Point(x: $0.x, y: $0.y) }
  }

  /// Returns the coordinate of a point, on the plan or beside it.
  ///
  /// Nil if the point is not finite or more than 20 km from the anchors.
  public func coordinate(for point: Point) -> LocationCoordinate2D? {
    transform.coordinate(for: PlanPoint(point)).map { LocationCoordinate2D(latitude: $0.latitude, longitude: $0.longitude) }
  }

  /// The distance in metres of each anchor's coordinate from the transformed point, in the order of the anchors.
  ///
  /// Zero for two anchors, whatever their errors. A residual far above the others indicates a wrong anchor.
  public var residuals: [Double] { transform.residuals }

  /// Returns the expected error of the transform at a point, in metres.
  ///
  /// The error is one standard deviation along each axis on the earth, and infinite if the point is not finite. It follows from the
  /// anchors' residuals, their stated accuracy and their geometry, by the covariance of the least-squares estimate. The error grows with
  /// the distance from the anchors.
  public func expectedError(at point: Point) -> Double { transform.expectedError(at: PlanPoint(point)) }

  /// The length of a unit of the plan in metres, for example to draw the accuracy of a location as a circle.
  public var metresPerUnit: Double { transform.metresPerUnit }

  /// Returns a warning if the anchors are too close together, or too far to one side, for a plan with these corners.
  ///
  /// - Parameter corners: the outline of the plan, such as the corners of the picture.
  public func shortBaseline(for corners: [Point]) -> ShortBaseline? {
    transform.shortBaseline(for: corners.map { PlanPoint($0) }).map {
      ShortBaseline(baseline: $0.baseline, extent: $0.extent, worstError: $0.worstError)
    }
  }
}

/// A reason why anchors give no floor plan, with its remedy.
public struct FloorPlanError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Hashable, Sendable {
    /// Fewer anchors than the fit needs.
    case tooFewAnchors
    /// More than 1000 anchors.
    case tooManyAnchors
    /// A point or coordinate is not finite or out of range.
    case invalidAnchor
    /// The accuracy of the anchors is not a finite number above zero.
    case invalidAccuracy
    /// Two anchors have the same point, or coordinates less than a centimetre apart.
    case anchorsInOneSpot
    /// Two anchors are more than 10 km apart.
    case tooFarApart
    /// All anchors of an affine plan lie in a line, or all but one.
    case anchorsInLine
    /// The anchors fit the mirror image of the plan.
    case mirrored
    /// No transform comes near the anchors.
    case contradictory
  }

  public let code: Code
  /// The human-readable reason and remedy. It counts anchors from 1.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}

extension FloorPlanError {
  init(_ error: PlanTransformError) {
    let code: Code =
      switch error {
      case .tooFewAnchors: .tooFewAnchors
      case .tooManyAnchors: .tooManyAnchors
      case .invalidPoint: .invalidAnchor
      case .invalidSigma: .invalidAccuracy
      case .onePlanPoint, .oneCoordinate: .anchorsInOneSpot
      case .tooFarApart: .tooFarApart
      case .inLine: .anchorsInLine
      case .mirrored: .mirrored
      case .contradictory: .contradictory
      }
    self.init(code, error.description)
  }
}

extension PlanPoint {
  fileprivate init(_ point: FloorPlan.Point) { self.init(x: point.x, y: point.y) }
}
