import FoundationEssentials

/// The location of the device at one time. Nil values are unknown. Core Location's CLLocation.
///
/// Every accuracy is one standard deviation.
public struct Location: Hashable, Sendable {
  /// The source of a location. Core Location's CLLocationSourceInformation.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    case gpsd, geoClue, nmea
    /// The position in a venue, from the beacons that its file plans.
    case indoor
    /// The service's config states the location.
    case fixed
    /// `LocationManager.manualLocation` states the location.
    case manual
    case capture, simulator

    /// True if no device was at the location.
    public var isSimulatedBySoftware: Bool { self == .capture || self == .simulator }
  }

  public let coordinate: LocationCoordinate2D
  /// The altitude in metres above mean sea level.
  public let altitude: Double?
  /// The altitude in metres above the ellipsoid of WGS84.
  public let ellipsoidalAltitude: Double?
  /// The accuracy in metres along each horizontal axis.
  ///
  /// Core Location's value is a radius, which is 1.5 times as long for the same share of fixes.
  public let horizontalAccuracy: Double?
  /// The accuracy of the altitude in metres.
  public let verticalAccuracy: Double?
  /// The speed in metres per second.
  public let speed: Double?
  public let speedAccuracy: Double?
  /// The direction of travel in degrees clockwise from true north.
  public let course: Double?
  public let courseAccuracy: Double?
  /// The floor; 0 is the ground floor. Core Location's CLFloor.
  public let floor: Int?
  /// The time of the location by the source's clock, or by this machine's if the source has none.
  public let timestamp: Date
  /// The source; nil for a source that this version does not know, and for a location that the program created.
  public let source: Source?
  /// The names of the place, the level and the venue of the location; nil if it has none.
  public let placemark: Placemark?
  /// The time of the location on a monotonic clock; nil if the service reported no age.
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
    _ timestamp: Date, _ source: Source?, _ measured: ContinuousClock.Instant?,
    _ placemark: Placemark? = nil
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
    self.placemark = placemark
  }

  /// The present age. It is correct even if the clock is set, and on a device that does not know the time.
  public var age: Duration {
    let age = measured.map { ContinuousClock.now - $0 } ?? .seconds(Date().timeIntervalSince(timestamp))
    return max(.zero, age)
  }

  /// Returns the distance in metres along the ellipsoid, ignoring altitude. NaN if one of the coordinates is not valid.
  public func distance(from location: Location) -> Double { location.coordinate.distance(to: coordinate) ?? .nan }
}
