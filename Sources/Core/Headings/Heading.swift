import Instants

/// The direction in which the device points.
public struct Heading: Hashable, Sendable {
  public var time: Instant
  /// Degrees clockwise from magnetic north, 0..<360.
  public var magneticHeading: Double
  /// Degrees clockwise from true north, 0..<360; nil without a location, and where a compass does not work.
  public var trueHeading: Double?
  /// One standard deviation of the magnetic heading in degrees.
  /// Nil while the magnetometer is not calibrated or the field is disturbed.
  public var accuracy: Double?
  /// One standard deviation of the true heading in degrees, which includes the uncertainty of the declination.
  public var trueAccuracy: Double?
  /// The field in µT without the fields that move with the device, in its frame, after the filter.
  public var field: SpaceVector
}

/// The earth's magnetic field at the device as a model expects it.
public struct MagneticReference: Hashable, Sendable {
  /// The strength in µT.
  public let strength: Double
  /// Degrees below the horizon.
  public let inclination: Double
  /// Degrees from true to magnetic north, positive to the east.
  public let declination: Double
  /// One standard deviation of the declination in degrees.
  public let declinationUncertainty: Double
  /// Whether the place is near a magnetic pole, where a compass does not work.
  public let isBlackout: Bool

  public init(strength: Double, inclination: Double, declination: Double, declinationUncertainty: Double, isBlackout: Bool) {
    (self.strength, self.inclination, self.declination) = (strength, inclination, declination)
    (self.declinationUncertainty, self.isBlackout) = (declinationUncertainty, isBlackout)
  }
}
