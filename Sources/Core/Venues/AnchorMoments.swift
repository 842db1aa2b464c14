/// A vector on the plan, with y up, or on the tangent plane: east and north.
struct PlaneVector: Hashable, Sendable {
  var x, y: Double

  var squaredLength: Double { x * x + y * y }
  var length: Double { squaredLength.squareRoot() }

  static func - (left: PlaneVector, right: PlaneVector) -> PlaneVector { PlaneVector(x: left.x - right.x, y: left.y - right.y) }
  static func + (left: PlaneVector, right: PlaneVector) -> PlaneVector { PlaneVector(x: left.x + right.x, y: left.y + right.y) }

  static func mean(of vectors: [PlaneVector]) -> PlaneVector {
    let sum = vectors.reduce(PlaneVector(x: 0, y: 0), +)
    return PlaneVector(x: sum.x / Double(vectors.count), y: sum.y / Double(vectors.count))
  }
}

/// A symmetric matrix: the sums of squares and products of vectors.
struct SymmetricMatrix: Hashable, Sendable {
  var xx, xy, yy: Double

  var trace: Double { xx + yy }
  var determinant: Double { xx * yy - xy * xy }
  var largestEigenvalue: Double { (trace + ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot()) / 2 }
  var smallestEigenvalue: Double { max(0, determinant / largestEigenvalue) }

  /// Returns vᵀ M⁻¹ v.
  func squaredNorm(of v: PlaneVector) -> Double { (yy * v.x * v.x - 2 * xy * v.x * v.y + xx * v.y * v.y) / determinant }
}

/// A linear map of the plan to the tangent plane, by rows.
struct LinearMap: Hashable, Sendable {
  var a, b, c, d: Double

  var determinant: Double { a * d - b * c }
  var squaredNorm: Double { a * a + b * b + c * c + d * d }

  func callAsFunction(_ v: PlaneVector) -> PlaneVector { PlaneVector(x: a * v.x + b * v.y, y: c * v.x + d * v.y) }

  func inverse(_ v: PlaneVector) -> PlaneVector {
    PlaneVector(x: (d * v.x - b * v.y) / determinant, y: (a * v.y - c * v.x) / determinant)
  }
}

/// The second moments of anchors around their mean, which determine a least-squares fit.
///
/// The axes are x and y on the plan, and east and north on the earth.
struct AnchorMoments {
  let count: Double
  let planMean, earthMean: PlaneVector
  var plan = SymmetricMatrix(xx: 0, xy: 0, yy: 0)
  private var xe = 0.0, xn = 0.0, ye = 0.0, yn = 0.0
  /// The sum of the squared distances from the mean on the earth.
  private(set) var earth = 0.0

  init(plan points: [PlaneVector], earth places: [PlaneVector]) {
    count = Double(points.count)
    planMean = .mean(of: points)
    earthMean = .mean(of: places)
    for (point, place) in zip(points, places) {
      let (p, q) = (point - planMean, place - earthMean)
      plan.xx += p.x * p.x
      plan.xy += p.x * p.y
      plan.yy += p.y * p.y
      xe += p.x * q.x
      xn += p.x * q.y
      ye += p.y * q.x
      yn += p.y * q.y
      earth += q.squaredLength
    }
  }

  /// The rotation and scale with the least squares.
  var similarity: LinearMap {
    let (a, b) = ((xe + yn) / plan.trace, (xn - ye) / plan.trace)
    return LinearMap(a: a, b: -b, c: b, d: a)
  }

  /// The similarity of the mirrored plan with the least squares.
  private var reflection: LinearMap {
    let (a, b) = ((xe - yn) / plan.trace, (xn + ye) / plan.trace)
    return LinearMap(a: a, b: b, c: b, d: -a)
  }

  /// The linear map with the least squares. The anchors must not lie in a line.
  var affine: LinearMap {
    let determinant = plan.determinant
    return LinearMap(
      a: (xe * plan.yy - ye * plan.xy) / determinant, b: (ye * plan.xx - xe * plan.xy) / determinant,
      c: (xn * plan.yy - yn * plan.xy) / determinant, d: (yn * plan.xx - xn * plan.xy) / determinant)
  }

  /// The share of the anchors' spread on the earth that the similarity reproduces, 0…1.
  var reproduced: Double { similarity.squaredNorm / 2 * plan.trace / earth }

  /// Whether the mirrored plan fits the anchors, and the plan itself does not.
  ///
  /// The sign of the cross-covariance decides (Umeyama, IEEE TPAMI 13 (1991)). Anchors almost in a line fit both, so their distance from
  /// the line must exceed a centimetre and three standard deviations.
  var isMirrored: Bool {
    guard count > 2, xe * yn - xn * ye < 0 else { return false }
    let squaredScale = reflection.squaredNorm / 2
    let variance = max(0, earth - squaredScale * plan.trace) / (2 * count - 4)
    return plan.smallestEigenvalue / count * squaredScale > max(1e-4, 9 * variance)
  }

  /// Returns the moments on the plan without one of the points.
  func planMoments(without point: PlaneVector) -> SymmetricMatrix {
    let p = point - planMean
    let weight = count / (count - 1)
    return SymmetricMatrix(xx: plan.xx - weight * p.x * p.x, xy: plan.xy - weight * p.x * p.y, yy: plan.yy - weight * p.y * p.y)
  }
}

extension SymmetricMatrix {
  /// Whether the vectors deviate from a line by less than 2 % of their length.
  var isLine: Bool { smallestEigenvalue < 4e-4 * largestEigenvalue }
}
