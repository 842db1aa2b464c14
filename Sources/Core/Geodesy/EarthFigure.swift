import RealModule

/// The model of the earth's figure.
public enum EarthFigure: Hashable, Sendable {
  /// The WGS84 ellipsoid.
  case ellipsoid
  /// A sphere with a radius in metres, for comparison with other programs; its error is up to 0.56 %.
  case sphere(radius: Double)

  /// Returns the point in metres from the centre of the earth.
  @inline(__always)
  func point(of place: Coordinate) -> SpacePoint {
    let (sine, cosine) = Self.sineAndCosine(place.latitude * .radiansPerDegree)
    let (east, front) = Self.sineAndCosine(place.longitude * .radiansPerDegree)
    var (axial, radial) = (0.0, 0.0)
    switch self {
    case .ellipsoid:
      radial = Ellipsoid.equatorialRadius / (1 - Ellipsoid.eccentricitySquared * sine * sine).squareRoot()
      axial = radial * (1 - Ellipsoid.eccentricitySquared)
    case .sphere(let radius):
      (axial, radial) = (radius, radius)
    }
    return SpacePoint(x: radial * cosine * front, y: radial * cosine * east, z: axial * sine)
  }

  /// Returns the sine and the cosine of an angle of -π…π.
  /// One is computed from the other if this affects only the last two bits, which takes half the time.
  @inline(__always)
  private static func sineAndCosine(_ radians: Double) -> (sine: Double, cosine: Double) {
    let sine = Double.sin(radians)
    guard abs(sine) < 0.8 else { return (sine, .cos(radians)) }
    let cosine = ((1 - sine) * (1 + sine)).squareRoot()
    return (sine, abs(radians) > .pi / 2 ? -cosine : cosine)
  }

  /// Returns bounds for the chord of a line of `length` metres on the surface.
  ///
  /// No line is shorter than its chord. None has a shorter chord than a circle with the sharpest curvature of the surface (Schur's
  /// comparison theorem). At 10 km the two bounds are 1 mm apart.
  func chords(of length: Double) -> ClosedRange<Double> {
    switch self {
    case .ellipsoid:
      let radius = Ellipsoid.polarRadius * Ellipsoid.polarRadius / Ellipsoid.equatorialRadius
      return max(0, Self.chord(of: length, radius: radius) - Self.rounding)...(length + Self.rounding)
    case .sphere(let radius):
      let chord = Self.chord(of: length, radius: radius)
      return chord...chord
    }
  }

  /// Returns whether the circle contains the place, for a chord that is inconclusive.
  func contains(_ place: Coordinate, atSquaredChord squared: Double, _ circle: Circle) -> Bool {
    switch self {
    case .ellipsoid: return circle.contains(place)
    case .sphere(let radius):
      let chord = Self.chord(of: circle.radius, radius: radius)
      return squared <= chord * chord
    }
  }

  /// Returns the distance on the surface in metres between two places with this squared chord.
  func distance(from a: Coordinate, to b: Coordinate, squaredChord: Double) -> Double {
    switch self {
    case .ellipsoid: a.distance(to: b)
    case .sphere(let radius): 2 * radius * .asin(min(1, squaredChord.squareRoot() / (2 * radius)))
    }
  }

  /// The maximum error in metres of the distance between two computed points.
  static let rounding = 1e-8

  /// Returns the chord, or zero for a line long enough to close.
  private static func chord(of length: Double, radius: Double) -> Double {
    let half = length / (2 * radius)
    return half < .pi / 2 ? 2 * radius * .sin(half) : 0
  }
}

/// A point in space in metres from the centre of the earth, in a frame that rotates with the earth.
struct SpacePoint: Hashable, Sendable {
  var x, y, z: Double

  @inline(__always)
  func squaredDistance(to other: SpacePoint) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }
}
