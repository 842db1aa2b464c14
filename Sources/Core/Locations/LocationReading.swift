import Instants

/// The unvalidated values of a location source.
/// Units and meanings are those of `Location`.
public struct LocationReading: Hashable, Sendable {
  /// Whether the source reports a fix; a source without one may still send coordinates.
  public var isFix: Bool
  public var latitude: Double
  public var longitude: Double
  public var altitude: Double?
  public var ellipsoidalAltitude: Double?
  public var horizontalAccuracy: Double?
  public var verticalAccuracy: Double?
  public var speed: Double?
  public var speedAccuracy: Double?
  public var course: Double?
  public var courseAccuracy: Double?
  public var floor: Int?
  public var time: Instant?
  public var clock = Clock.receiver

  /// The clock that `time` was read from.
  public enum Clock: Hashable, Sendable {
    case receiver
    /// The wall clock of this machine, right or wrong: the age of the fix is valid until the clock is set.
    case machine
    /// The time of day of a receiver with the date of this machine.
    case both
  }

  public init(isFix: Bool = true, latitude: Double, longitude: Double, horizontalAccuracy: Double? = nil, time: Instant? = nil) {
    self.isFix = isFix
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalAccuracy = horizontalAccuracy
    self.time = time
  }
}
