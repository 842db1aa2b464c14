import Geodesy
import RealModule

/// The Gauss coefficients of one degree and order, in nT, and their change in nT a year.
struct MagneticCoefficient: Sendable {
  let cosine: Double
  let sine: Double
  let cosineRate: Double
  let sineRate: Double

  init(_ cosine: Double, _ sine: Double, _ cosineRate: Double, _ sineRate: Double) {
    (self.cosine, self.sine, self.cosineRate, self.sineRate) = (cosine, sine, cosineRate, sineRate)
  }
}

/// A model of the earth's magnetic field as spherical harmonics.
///
/// It describes the field of the earth's core for five years. It contains no field of rocks, buildings or the ionosphere. Source: NCEI and
/// BGS, The US/UK World Magnetic Model for 2025-2030.
public struct MagneticModel: Sendable {
  public let name: String
  /// The year to which the coefficients belong.
  public let epoch: Double
  private let degree: Int
  /// The coefficients of degree n and order m at n (n + 1) / 2 + m - 1.
  private let coefficients: [MagneticCoefficient]

  /// The radius of the sphere to which the coefficients refer, in metres.
  private static let referenceRadius = 6_371_200.0

  init(name: String, epoch: Double, degree: Int, coefficients: [MagneticCoefficient]) {
    (self.name, self.epoch, self.degree, self.coefficients) = (name, epoch, degree, coefficients)
  }

  /// The decimal years for which the model is valid. Beyond them its error grows by up to half a degree a year.
  public var validity: Range<Double> { epoch..<epoch + 5 }

  /// Returns the field at a place; `altitude` is in metres above the ellipsoid, `year` is decimal, such as 2026.5.
  ///
  /// A year outside `validity` is extrapolated. Returns nil for an altitude or a year that is not finite, and for altitudes outside
  /// -10 km…850 km, where the model does not apply.
  public func field(at place: Coordinate, altitude: Double = 0, year: Double) -> GeomagneticField? {
    guard year.isFinite, (-10_000...850_000).contains(altitude) else { return nil }
    let position = GeocentricPosition(place, altitude: altitude)
    let harmonics = LegendreFunctions(degree: degree, sineOfColatitude: position.cosine, cosineOfColatitude: position.sine)
    let years = year - epoch
    var field = SphericalField()
    var rate = SphericalField()
    let ratio = Self.referenceRadius / position.radius
    var power = ratio * ratio
    var index = 0
    for n in 1...degree {
      power *= ratio
      var (cosine, sine) = (1.0, 0.0)
      for m in 0...n {
        let term = coefficients[index]
        let (g, h) = (term.cosine + years * term.cosineRate, term.sine + years * term.sineRate)
        let value = harmonics.values[index + 1]
        field.add(power, n, m, g * cosine + h * sine, g * sine - h * cosine, value)
        rate.add(
          power, n, m, term.cosineRate * cosine + term.sineRate * sine, term.cosineRate * sine - term.sineRate * cosine, value)
        (cosine, sine) = (
          cosine * position.cosineOfLongitude - sine * position.sineOfLongitude,
          sine * position.cosineOfLongitude + cosine * position.sineOfLongitude
        )
        index += 1
      }
    }
    return GeomagneticField(field.turned(by: position), rates: rate.turned(by: position))
  }
}

/// Sums of the harmonics in nT, towards geocentric north, east and down.
private struct SphericalField {
  private var north = 0.0
  private var east = 0.0
  private var down = 0.0

  /// Adds one degree and order: its amplitude in phase, and a quarter of a turn behind.
  mutating func add(_ power: Double, _ n: Int, _ m: Int, _ inPhase: Double, _ behind: Double, _ value: LegendreFunctions.Value) {
    north += power * inPhase * value.derivative
    east += power * Double(m) * behind * value.overSine
    down -= power * Double(n + 1) * inPhase * value.value
  }

  /// Returns the components in the frame of the ellipsoid.
  /// Its vertical differs from the direction to the centre of the earth by up to 0.19°.
  func turned(by position: GeocentricPosition) -> GeomagneticField.Components {
    GeomagneticField.Components(
      north: north * position.cosineOfTilt - down * position.sineOfTilt, east: east,
      down: north * position.sineOfTilt + down * position.cosineOfTilt)
  }
}

/// A place on or above the ellipsoid as seen from the centre of the earth.
struct GeocentricPosition {
  /// The distance from the centre of the earth, in metres.
  let radius: Double
  /// The sine of the geocentric latitude.
  let sine: Double
  /// The cosine of the geocentric latitude, never negative.
  let cosine: Double
  let sineOfLongitude: Double
  let cosineOfLongitude: Double
  /// The sine of the geocentric minus the geodetic latitude.
  let sineOfTilt: Double
  /// The cosine of the geocentric minus the geodetic latitude.
  let cosineOfTilt: Double

  init(_ place: Coordinate, altitude: Double) {
    let latitude = place.latitude * .pi / 180
    let (s, c) = (Double.sin(latitude), max(0, Double.cos(latitude)))
    let curvature = Ellipsoid.equatorialRadius / (1 - Ellipsoid.eccentricitySquared * s * s).squareRoot()
    let distance = (curvature + altitude) * c
    let height = (curvature * (1 - Ellipsoid.eccentricitySquared) + altitude) * s
    radius = .hypot(distance, height)
    (sine, cosine) = (height / radius, distance / radius)
    let longitude = place.longitude * .pi / 180
    (sineOfLongitude, cosineOfLongitude) = (.sin(longitude), .cos(longitude))
    (sineOfTilt, cosineOfTilt) = (sine * c - cosine * s, cosine * c + sine * s)
  }
}

/// The Schmidt semi-normalised associated Legendre functions of one colatitude.
///
/// The quotient by the sine of the colatitude has a recursion of its own, so that nothing is divided by zero at the poles.
/// Source: Langel, The Main Field, in Jacobs (ed.), Geomagnetism, vol. 1, 1987.
struct LegendreFunctions {
  struct Value {
    var value = 0.0
    /// The derivative with respect to the colatitude in radians.
    var derivative = 0.0
    /// The value divided by the sine of the colatitude; 0 for order 0.
    var overSine = 0.0
  }

  /// The functions of degree n and order m at n (n + 1) / 2 + m.
  private(set) var values: [Value]

  init(degree: Int, sineOfColatitude s: Double, cosineOfColatitude c: Double) {
    values = [Value](repeating: Value(), count: (degree + 1) * (degree + 2) / 2)
    values[0].value = 1
    for n in 1...degree {
      let (start, before, second) = (n * (n + 1) / 2, n * (n - 1) / 2, (n - 1) * (n - 2) / 2)
      for m in 0..<n {
        let previous = values[before + m]
        let older = m < n - 1 ? values[second + m] : Value()
        let (a, b) = (Double(2 * n - 1), Double((n - 1) * (n - 1) - m * m).squareRoot())
        let norm = 1 / Double(n * n - m * m).squareRoot()
        values[start + m] = Value(
          value: (a * c * previous.value - b * older.value) * norm,
          derivative: (a * (c * previous.derivative - s * previous.value) - b * older.derivative) * norm,
          overSine: (a * c * previous.overSine - b * older.overSine) * norm)
      }
      let diagonal = values[before + n - 1]
      let factor = n == 1 ? 1 : (Double(2 * n - 1) / Double(2 * n)).squareRoot()
      values[start + n] = Value(
        value: factor * s * diagonal.value, derivative: factor * (s * diagonal.derivative + c * diagonal.value),
        overSine: n == 1 ? 1 : factor * s * diagonal.overSine)
    }
  }
}

/// The earth's magnetic field at one place and time, without the fields of rocks and buildings.
public struct GeomagneticField: Hashable, Sendable {
  /// North, east and down, in nT, or in nT a year.
  public struct Components: Hashable, Sendable {
    public let north: Double
    public let east: Double
    public let down: Double
  }

  /// The reliability of a compass here, by the strength of the horizontal field. Source: WMM2025 report, section 1.5.
  public enum Zone: Hashable, Sendable {
    case reliable
    /// Below 6,000 nT: declination errors are large.
    case caution
    /// Below 2,000 nT, near the magnetic poles: a compass does not work.
    case blackout
  }

  /// nT.
  public let components: Components
  /// nT a year.
  public let rates: Components

  init(_ components: Components, rates: Components) {
    (self.components, self.rates) = (components, rates)
  }

  /// The strength of the horizontal field in nT.
  public var horizontal: Double { .hypot(components.north, components.east) }
  /// The strength of the field in nT.
  public var strength: Double { .hypot(horizontal, components.down) }
  /// The angle from true to magnetic north in degrees, positive to the east, -180…180.
  public var declination: Double { .atan2(y: components.east, x: components.north) * 180 / .pi }
  /// The angle below the horizon in degrees, positive in the north, -90…90.
  public var inclination: Double { .atan2(y: components.down, x: horizontal) * 180 / .pi }
  /// Degrees a year.
  public var declinationRate: Double {
    (components.north * rates.east - components.east * rates.north) / (horizontal * horizontal) * 180 / .pi
  }
  /// Degrees a year.
  public var inclinationRate: Double {
    (horizontal * rates.down - components.down * horizontalRate) / (strength * strength) * 180 / .pi
  }
  /// nT a year.
  public var horizontalRate: Double { (components.north * rates.north + components.east * rates.east) / horizontal }
  /// nT a year.
  public var strengthRate: Double { (horizontal * horizontalRate + components.down * rates.down) / strength }

  /// One standard deviation of the declination in degrees, at most 180: the error of the model and the field of rocks.
  /// Source: WMM2025 report, section 3.4.
  public var declinationUncertainty: Double { min(180, .hypot(0.26, 5417 / horizontal)) }

  public var zone: Zone {
    switch horizontal {
    case ..<2000: .blackout
    case ..<6000: .caution
    default: .reliable
    }
  }
}
