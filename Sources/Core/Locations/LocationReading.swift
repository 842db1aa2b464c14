import Instants

/// What a source says of where the device is, before anything of it is believed. The units and meanings are those of `Location`.
public struct LocationReading: Hashable, Sendable {
  /// The source says that this is a fix; one that has none may still send coordinates.
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

  /// What `time` was read off.
  public enum Clock: Hashable, Sendable {
    case receiver
    /// This machine's wall clock, right or wrong: it tells how old the fix is as long as nobody sets it.
    case machine
    /// A receiver's time of day, on the date of this machine.
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
