import RealModule

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
  /// One standard deviation of the inclination in degrees. Source: WMM2025 report, section 3.4.
  public var inclinationUncertainty: Double { 0.20 }
  /// One standard deviation of the strength in nT. Source: WMM2025 report, section 3.4.
  public var strengthUncertainty: Double { 138 }

  public var zone: Zone {
    switch horizontal {
    case ..<2000: .blackout
    case ..<6000: .caution
    default: .reliable
    }
  }
}
