import Headings
import Instants
import LocationArbitration
import Locations
import Records

/// A measurement of a sensor of headings.
public enum HeadingMeasurement: Hashable, Sendable {
  /// The acceleration in m/s² in the frame of the device; a device that rests face up reports +9.8 for z.
  case acceleration(SpaceVector)
  /// The rotation in radians per second about the axes of the device.
  case rotation(SpaceVector)
  /// The magnetic field in µT in the frame of the device, uncorrected.
  case field(SpaceVector)
  /// The heading that a compass has computed.
  case heading(HeadingReading)
  /// The report of a compass that it has no heading now.
  case noHeading
}

/// The state of a source, and its problem with the remedy.
public struct HeadingHealth: Hashable, Sendable {
  public var state: HeadingSourceStatus.State
  public var note: String?
  /// A fact for the log that needs no action.
  public var remark: String?

  public init(_ state: HeadingSourceStatus.State, _ note: String? = nil) {
    (self.state, self.note) = (state, note)
  }
}

/// Sensors, or a compass, from which headings come.
///
/// A source is off until it is started. It does not restart by itself after its device has vanished: the service starts it again.
public protocol HeadingSource: AnyObject {
  /// The kind of the source in records, such as `iio`.
  var name: String { get }
  /// The name of the device, under which its calibration is stored. While the source is on, it is that of the samples.
  /// Nil for a compass that calibrates itself, and without a device.
  var device: String? { get }
  /// Whether the device is present. A source that is off looks for it.
  var isPresent: Bool { get }
  /// Whether the device may turn out to be present if the source is started.
  var isPossible: Bool { get }
  /// Whether an accelerometer shows which way is up. Without one, the service assumes that the device lies level.
  var hasAccelerometer: Bool { get }
  /// The time after which a source that is on counts as silent.
  var patience: Span { get }
  var health: HeadingHealth { get }
  /// The number of samples, and the refused ones by reason.
  var counts: HeadingCounts { get }
  /// Whether a client wants each sample of the sensors, up to 50 a second. Otherwise fewer are enough, and cost less.
  var isFast: Bool { get set }
  /// Receives each measurement, with its time on the scheduler's clock.
  var onMeasurement: (HeadingMeasurement, Instant) -> Void { get set }
  /// Runs after `health` or the presence of the device has changed.
  var onHealthChange: () -> Void { get set }

  /// Switches the source on. Measurements follow after the call has returned.
  func start()
  /// Switches the source off. No measurement follows.
  /// Also called for a source that is off, when no client wants headings any more.
  func stop()
  /// Waits a moment until the devices of a stopped source are released, because the program ends.
  func finish()
}

extension HeadingSource {
  public func finish() {}
  /// A source with one rate ignores the request.
  public var isFast: Bool {
    get { false }
    set {}
  }
  public var isPossible: Bool { isPresent }
}

/// Counts of a source's samples.
public struct HeadingCounts: Hashable, Sendable {
  public var samples: UInt64
  public var refused: NamedCounts

  public init(samples: UInt64 = 0, refused: NamedCounts = NamedCounts()) {
    (self.samples, self.refused) = (samples, refused)
  }
}

/// The locations that headings need: a rough one for the declination, and the speed and course of travel.
public protocol HeadingLocations: AnyObject {
  /// The latest location; nil while it is unknown.
  var location: Location? { get }
  /// The time on the clock of locations, which runs while the machine is suspended.
  var now: Instant { get }
  /// Requests locations, which go to `HeadingService.take(_:)`; nil ends the request.
  func request(_ request: LocationRequest?)
}

/// A calibration of a device with the time since the Unix epoch when the field has last confirmed it.
public struct StoredCalibration: Hashable, Sendable {
  public let device: String
  /// The time of the last confirmation; nil if the clock was not set.
  public let time: Instant?
  public let calibration: MagneticCalibration

  public init(device: String, time: Instant?, _ calibration: MagneticCalibration) {
    (self.device, self.time, self.calibration) = (device, time, calibration)
  }
}

/// A file of calibrations, which reports its failures itself.
public protocol CalibrationFile: AnyObject {
  /// Returns the calibrations, the newest first; nil if the file cannot be read now.
  func loadCalibrations() -> [StoredCalibration]?
  /// Stores the calibration of a device in place of its earlier one, and returns whether that succeeded.
  /// The calibrations of other devices remain, even ones that were not loaded.
  ///
  /// - Parameter most: the number of calibrations beyond which the oldest ones are removed.
  func save(_ calibration: StoredCalibration, most: Int) -> Bool
}
