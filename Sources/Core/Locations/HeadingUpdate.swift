import Instants
import Records

/// A direction and the magnetic field, as clients receive them.
///
/// The direction is absent while it is not known: a calibration is missing, or the field is disturbed.
public struct HeadingUpdate: RecordRepresentable, Hashable {
  public enum Kind: String, CaseIterable, RecordFieldValue {
    /// The direction in which the device points.
    case heading
    /// The direction in which the device travels.
    case course
  }

  /// The time since the Unix epoch.
  public var timestamp: Instant?
  /// Nil without a direction.
  public var kind: Kind?
  /// Degrees clockwise from magnetic north.
  public var magneticHeading: Double?
  /// Degrees clockwise from true north.
  public var trueHeading: Double?
  /// One standard deviation of the magnetic heading in degrees; nil if the source does not know it.
  public var accuracy: Double?
  /// One standard deviation of the true heading in degrees.
  public var trueAccuracy: Double?
  /// The field in µT in the frame of the device, as the sensor measures it: with the fields that move with the device.
  public var x: Double?
  public var y: Double?
  public var z: Double?
  public var magnitude: Double?
  public var source: String?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("timestamp", \.timestamp),
    RecordField("kind", \.kind),
    RecordField("magneticHeading", \.magneticHeading, decimals: 2),
    RecordField("trueHeading", \.trueHeading, decimals: 2),
    RecordField("accuracy", \.accuracy, decimals: 2),
    RecordField("trueAccuracy", \.trueAccuracy, decimals: 2),
    RecordField("x", \.x, decimals: 2),
    RecordField("y", \.y, decimals: 2),
    RecordField("z", \.z, decimals: 2),
    RecordField("magnitude", \.magnitude, decimals: 2),
    RecordField("source", \.source),
  ]
}

extension HeadingUpdate {
  /// Whether the update has a direction.
  public var hasDirection: Bool { magneticHeading != nil || trueHeading != nil }

  /// Sets the directions in degrees; an angle that is not finite is absent.
  public mutating func setDirection(_ kind: Kind, magnetic: Double?, true trueHeading: Double?) {
    func rounded(_ degrees: Double?) -> Double? { degrees.flatMap { $0.isFinite ? $0.direction(decimals: 2) : nil } }
    (magneticHeading, self.trueHeading) = (rounded(magnetic), rounded(trueHeading))
    self.kind = hasDirection ? kind : nil
  }

  /// Sets the components of the field and its magnitude in µT.
  public mutating func setField(x: Double, y: Double, z: Double) {
    guard [x, y, z].allSatisfy(\.isFinite) else { return }
    (self.x, self.y, self.z) = (x, y, z)
    magnitude = (x * x + y * y + z * z).squareRoot()
  }
}

/// The calibration of the magnetometer, as clients see it.
public struct CalibrationStatus: RecordRepresentable, Hashable {
  /// Whether the user must turn the device in all directions.
  public var isNeeded: Bool?
  /// The measured share of all directions, 0...1.
  public var progress: Double?
  /// "1" for each of the 96 directions in which the field was measured, and "0" for the others.
  /// They are the faces +x, -x, +y, -y, +z, -z of a cube, each with four rows of four cells.
  public var coverage: String?

  public init() {}

  public init(isNeeded: Bool, progress: Double, covered: [Bool]) {
    (self.isNeeded, self.progress) = (isNeeded, progress)
    coverage = String(decoding: covered.map { UInt8(ascii: $0 ? "1" : "0") }, as: UTF8.self)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("needed", \.isNeeded),
    RecordField("progress", \.progress, decimals: 2),
    RecordField("coverage", \.coverage),
  ]
}

/// A source of headings with its health and its counts, as clients see it.
public struct HeadingSourceStatus: RecordRepresentable, Hashable {
  public enum State: String, CaseIterable, RecordFieldValue {
    /// No client wants headings.
    case off
    case starting
    /// The source supplies headings.
    case measuring
    case uncalibrated
    case disturbed
    /// The device is present, but its samples cannot be used.
    case failing
    /// The device is not present.
    case gone
  }

  public var source: String?
  public var state: State?
  /// The device of the source, such as a driver and its bus.
  public var device: String?
  /// The problem and its remedy; nil if there is none.
  public var note: String?
  public var samples: UInt64?
  /// The refused samples by reason, without reasons that did not occur.
  public var refused: NamedCounts?
  /// The time of the calibration since the Unix epoch; nil without one.
  public var calibrated: Instant?
  /// The root mean square of the calibration's deviations, in µT.
  public var residual: Double?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("source", \.source),
    RecordField("state", \.state),
    RecordField("device", \.device),
    RecordField("note", \.note),
    RecordField("samples", \.samples),
    RecordField("refused", \.refused),
    RecordField("calibrated", \.calibrated),
    RecordField("residual", \.residual, decimals: 2),
  ]
}
