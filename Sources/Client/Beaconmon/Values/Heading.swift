import FoundationEssentials

/// The direction in which the device points or travels. Core Location's CLHeading.
///
/// A direction that is not known is nil: the magnetometer is not calibrated, or a magnet is near the device. The field is still known then.
public struct Heading: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// The direction in which the device points.
    case heading
    /// The direction in which the device travels.
    case course
  }

  /// The field in µT as the sensor measures it, with that of the device itself, which a calibration does not remove.
  ///
  /// It is in the frame of the device: x to the right of the screen, y to its top, z out of it.
  public struct MagneticField: Hashable, Sendable {
    public let x: Double
    public let y: Double
    public let z: Double

    public init(x: Double, y: Double, z: Double) {
      (self.x, self.y, self.z) = (x, y, z)
    }

    /// µT.
    public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }
  }

  /// Degrees clockwise from magnetic north, 0..<360.
  public let magneticHeading: Double?
  /// Degrees clockwise from true north, 0..<360; nil without a location too.
  public let trueHeading: Double?
  /// One standard deviation of the magnetic heading in degrees; nil if it is not known, as of a ship's compass.
  public let headingAccuracy: Double?
  /// One standard deviation of the true heading in degrees.
  public let trueHeadingAccuracy: Double?
  /// Nil without a direction.
  public let kind: Kind?
  /// The measured field.
  /// Nil for a compass that does not report it, and for a course.
  public let field: MagneticField?
  public let timestamp: Date
  /// The source, such as `iio`.
  public let source: String?

  /// Creates a heading, as for tests and previews.
  public init(
    magneticHeading: Double?, trueHeading: Double? = nil, headingAccuracy: Double? = nil, trueHeadingAccuracy: Double? = nil,
    kind: Kind? = .heading, field: MagneticField? = nil, timestamp: Date = Date(), source: String? = nil
  ) {
    (self.magneticHeading, self.trueHeading) = (magneticHeading, trueHeading)
    (self.headingAccuracy, self.trueHeadingAccuracy) = (headingAccuracy, trueHeadingAccuracy)
    (self.kind, self.field, self.timestamp, self.source) = (kind, field, timestamp, source)
  }
}

/// The progress of the magnetometer's calibration, which ends by itself when the device was turned in enough directions.
public struct HeadingCalibration: Hashable, Sendable {
  /// Whether the user has to turn the device.
  public let isNeeded: Bool
  /// The measured share of all directions, 0...1.
  public let progress: Double
  /// Whether the field was measured in each of 96 directions; empty if it is not known.
  ///
  /// They are the faces +x, -x, +y, -y, +z, -z of a cube around the device, each with four rows of four cells.
  public let coverage: [Bool]

  public init(isNeeded: Bool, progress: Double, coverage: [Bool]) {
    (self.isNeeded, self.progress, self.coverage) = (isNeeded, progress, coverage)
  }
}

/// The edge of the device that points forward. Core Location's CLDeviceOrientation.
public enum DeviceOrientation: Hashable, Sendable {
  /// The top edge of the screen.
  case portrait
  /// The bottom edge.
  case portraitUpsideDown
  /// The right edge.
  case landscapeLeft
  /// The left edge.
  case landscapeRight
  /// Degrees clockwise from the top edge, -360...360, for a mounted device.
  case mounted(degrees: Double)
}
