import FoundationEssentials

/// Where the device was at a time. What is unknown is nil, and every accuracy is one standard deviation. Core Location's CLLocation.
public struct Location: Hashable, Sendable {
  /// What it came from. Core Location's CLLocationSourceInformation.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    case gpsd, geoClue, nmea
    /// The service's config says where the device stands.
    case fixed
    /// `LocationManager.manualLocation` said so.
    case manual
    case capture, simulator

    /// Nobody was there.
    public var isSimulatedBySoftware: Bool { self == .capture || self == .simulator }
  }

  public let coordinate: LocationCoordinate2D
  /// Metres above mean sea level.
  public let altitude: Double?
  /// Metres above the ellipsoid of WGS84.
  public let ellipsoidalAltitude: Double?
  /// Metres, along each horizontal axis. Core Location's is a radius, which is 1.5 times as long for the same share of fixes.
  public let horizontalAccuracy: Double?
  /// Metres.
  public let verticalAccuracy: Double?
  /// Metres per second.
  public let speed: Double?
  public let speedAccuracy: Double?
  /// The direction of travel, degrees clockwise from true north.
  public let course: Double?
  public let courseAccuracy: Double?
  /// 0 is the ground floor. Core Location's CLFloor.
  public let floor: Int?
  /// When it was so: by the source's clock where it has one, else by this machine's.
  public let timestamp: Date
  /// Nil for one that this version does not know, and for a location that the program has made itself.
  public let source: Source?
  /// The same as `timestamp` on a clock that nobody sets; nil for what has no age of the service's.
  let measured: ContinuousClock.Instant?

  public init(
    coordinate: LocationCoordinate2D, altitude: Double? = nil, ellipsoidalAltitude: Double? = nil, horizontalAccuracy: Double? = nil,
    verticalAccuracy: Double? = nil, speed: Double? = nil, speedAccuracy: Double? = nil, course: Double? = nil,
    courseAccuracy: Double? = nil, floor: Int? = nil, timestamp: Date = Date()
  ) {
    self.init(
      coordinate, altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy, speed, speedAccuracy, course, courseAccuracy, floor,
      timestamp, nil, nil)
  }

  public init(latitude: Double, longitude: Double) {
    self.init(coordinate: LocationCoordinate2D(latitude: latitude, longitude: longitude))
  }

  init(
    _ coordinate: LocationCoordinate2D, _ altitude: Double?, _ ellipsoidalAltitude: Double?, _ horizontalAccuracy: Double?,
    _ verticalAccuracy: Double?, _ speed: Double?, _ speedAccuracy: Double?, _ course: Double?, _ courseAccuracy: Double?, _ floor: Int?,
    _ timestamp: Date, _ source: Source?, _ measured: ContinuousClock.Instant?
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    self.ellipsoidalAltitude = ellipsoidalAltitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.floor = floor
    self.timestamp = timestamp
    self.source = source
    self.measured = measured
  }

  /// How old it is now. Right also where somebody sets the clock, and on a device that does not know the time.
  public var age: Duration {
    let age = measured.map { ContinuousClock.now - $0 } ?? .seconds(Date().timeIntervalSince(timestamp))
    return max(.zero, age)
  }

  /// Metres along the ellipsoid, not through the air. NaN where one of the two coordinates is not valid.
  public func distance(from location: Location) -> Double { location.coordinate.distance(to: coordinate) ?? .nan }
}
