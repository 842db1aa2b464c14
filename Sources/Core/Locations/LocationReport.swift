import Geodesy
import Instants
import Records

/// A location as clients receive it. Every accuracy is one standard deviation; a value is nil if it is unknown.
public struct LocationReport: RecordRepresentable, Hashable {
  /// Degrees, WGS84.
  public var latitude: Double?
  /// Degrees, WGS84.
  public var longitude: Double?
  /// Metres above mean sea level.
  public var altitude: Double?
  /// Metres above the WGS84 ellipsoid.
  public var ellipsoidalAltitude: Double?
  /// Metres, along each horizontal axis.
  public var horizontalAccuracy: Double?
  /// Metres.
  public var verticalAccuracy: Double?
  /// Metres per second over ground.
  public var speed: Double?
  public var speedAccuracy: Double?
  /// Degrees clockwise from true north, below 360.
  public var course: Double?
  /// Degrees.
  public var courseAccuracy: Double?
  public var floor: Int64?
  /// The time of the fix since the Unix epoch.
  public var time: Instant?
  /// Seconds since the measurement, when the daemon sent the location.
  public var age: Double?
  public var source: String?
  /// The place, the level and the venue in one line, the name of an own place, or the address.
  public var description: String?
  /// The name of the place.
  public var place: String?
  /// The id of the place.
  public var placeID: String?
  /// The id of the level.
  public var level: String?
  public var levelName: String?
  /// The id of the venue.
  public var venue: String?
  public var venueName: String?
  /// The address of a location that is at no known place.
  public var address = PostalAddress()

  public init() {}

  public static let fields: [RecordField<Self>] =
    [
      // 1e-7° is 1 cm.
      RecordField("latitude", \.latitude, decimals: 7),
      RecordField("longitude", \.longitude, decimals: 7),
      RecordField("altitude", \.altitude, decimals: 2),
      RecordField("ellipsoidalAltitude", \.ellipsoidalAltitude, decimals: 2),
      RecordField("horizontalAccuracy", \.horizontalAccuracy, decimals: 2),
      RecordField("verticalAccuracy", \.verticalAccuracy, decimals: 2),
      RecordField("speed", \.speed, decimals: 2),
      RecordField("speedAccuracy", \.speedAccuracy, decimals: 2),
      RecordField(direction: "course", \.course, decimals: 1),
      RecordField("courseAccuracy", \.courseAccuracy, decimals: 1),
      RecordField("floor", \.floor),
      RecordField("time", \.time),
      RecordField("age", \.age, decimals: 3),
      RecordField("source", \.source),
      RecordField("description", \.description),
      RecordField("place", \.place),
      RecordField("placeId", \.placeID),
      RecordField("level", \.level),
      RecordField("levelName", \.levelName),
      RecordField("venue", \.venue),
      RecordField("venueName", \.venueName),
    ] + PostalAddress.fields.map { $0.of(\.address) }
}

extension Location {
  /// Returns the location for clients, with its age.
  ///
  /// - Parameter now: on the clock of `received`.
  public func report(at now: Instant) -> LocationReport {
    // An accuracy that is rounded to 0 would mean an unknown one.
    func accuracy(_ metres: Double?) -> Double? { metres.map { max($0, 0.01) } }
    var report = LocationReport()
    (report.latitude, report.longitude) = (coordinate.latitude, coordinate.longitude)
    (report.altitude, report.ellipsoidalAltitude) = (altitude, ellipsoidalAltitude)
    (report.horizontalAccuracy, report.verticalAccuracy) = (accuracy(horizontalAccuracy), accuracy(verticalAccuracy))
    (report.speed, report.speedAccuracy) = (speed, speedAccuracy)
    (report.course, report.courseAccuracy) = (course.map(Self.direction), courseAccuracy)
    report.floor = floor.map { Int64($0) }
    (report.time, report.age, report.source) = (time, age(at: now).seconds, source.name)
    return report
  }

  /// Returns degrees clockwise from north that stay below 360 when they are rounded to 0.1°.
  static func direction(_ degrees: Double) -> Double { degrees < 359.95 ? degrees : 0 }
}
