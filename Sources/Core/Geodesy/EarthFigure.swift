import RealModule

/// What the earth is taken for.
public enum EarthFigure: Hashable, Sendable {
  /// WGS84.
  case ellipsoid
  /// Of so many metres of radius: for comparison with what others compute, up to 0.56 % off.
  case sphere(radius: Double)

  /// Metres from the centre.
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

  /// Of an angle of -π…π. One from the other where that costs no more than the last two bits: it takes half the time.
  @inline(__always)
  private static func sineAndCosine(_ radians: Double) -> (sine: Double, cosine: Double) {
    let sine = Double.sin(radians)
    guard abs(sine) < 0.8 else { return (sine, .cos(radians)) }
    let cosine = ((1 - sine) * (1 + sine)).squareRoot()
    return (sine, abs(radians) > .pi / 2 ? -cosine : cosine)
  }

  /// The chords that a line of `length` metres on the surface can have: never shorter, never longer.
  ///
  /// No line is shorter than its chord, and none has a shorter chord than a circle that is curved as sharply as the surface anywhere (Schur's comparison theorem). At 10 km the two are
  /// 1 mm apart.
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

  /// Decides where chords leave a doubt.
  func contains(_ place: Coordinate, atSquaredChord squared: Double, _ circle: Circle) -> Bool {
    switch self {
    case .ellipsoid: return circle.contains(place)
    case .sphere(let radius):
      let chord = Self.chord(of: circle.radius, radius: radius)
      return squared <= chord * chord
    }
  }

  /// Metres on the surface between two places, whose points are so far apart.
  func distance(from a: Coordinate, to b: Coordinate, squaredChord: Double) -> Double {
    switch self {
    case .ellipsoid: a.distance(to: b)
    case .sphere(let radius): 2 * radius * .asin(min(1, squaredChord.squareRoot() / (2 * radius)))
    }
  }

  /// Metres by which two points that were computed here may be off.
  static let rounding = 1e-8

  /// Zero from where the line could close.
  private static func chord(of length: Double, radius: Double) -> Double {
    let half = length / (2 * radius)
    return half < .pi / 2 ? 2 * radius * .sin(half) : 0
  }
}

/// A point of space, metres from the centre of the earth, which turns with it.
struct SpacePoint: Hashable, Sendable {
  var x, y, z: Double

  @inline(__always)
  func squaredDistance(to other: SpacePoint) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }
}
