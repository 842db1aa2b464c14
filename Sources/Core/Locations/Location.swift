import Geodesy
import Instants

/// A fix: where the device is, how well that is known, and when it was so.
///
/// Made from a reading, and only if nothing in that is impossible. What is unknown is nil; every accuracy is one standard deviation.
public struct Location: Hashable, Sendable {
  /// What it came from.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    case gpsd, geoClue, nmea
    /// The config says where the device stands.
    case fixed
    /// Somebody at the device says where it is.
    case manual
    case capture, simulator
  }

  public private(set) var coordinate: Coordinate
  /// Metres above mean sea level.
  public let altitude: Double?
  /// Metres above the ellipsoid of WGS84.
  public let ellipsoidalAltitude: Double?
  /// Metres, along each horizontal axis.
  public let horizontalAccuracy: Double?
  /// Metres.
  public let verticalAccuracy: Double?
  /// Metres per second over ground.
  public let speed: Double?
  public let speedAccuracy: Double?
  /// The direction of travel, which is not the heading: degrees clockwise from true north, 0..<360.
  public let course: Double?
  /// Degrees.
  public let courseAccuracy: Double?
  /// 0 is the ground floor.
  public let floor: Int?
  /// Since the Unix epoch, as the source says; nil when it does not.
  public let time: Instant?
  /// On the clock of the boot, which goes on while the machine sleeps; on its own clock for a recording.
  public let received: Instant
  /// When it was so, on the clock of `received` and never after that. Earlier only where the fix has a time and the wall clock can be trusted with it.
  public let measured: Instant
  public let source: Source

  public init(_ reading: LocationReading, from source: Source, at receipt: Receipt) throws(LocationRefusal) {
    guard reading.isFix else { throw .noFix }
    guard abs(reading.latitude) <= 90 else { throw .latitude }
    guard abs(reading.longitude) <= 180, let coordinate = Coordinate(latitude: reading.latitude, longitude: reading.longitude) else {
      throw .longitude
    }
    self.coordinate = coordinate
    altitude = try Self.quantity(reading.altitude, in: Self.altitudes, or: .altitude)
    ellipsoidalAltitude = try Self.quantity(reading.ellipsoidalAltitude, in: Self.altitudes, or: .altitude)
    horizontalAccuracy = try Self.accuracy(reading.horizontalAccuracy)
    verticalAccuracy = try Self.accuracy(reading.verticalAccuracy)
    speed = try Self.quantity(reading.speed, in: Self.speeds, or: .motion)
    speedAccuracy = try Self.accuracy(reading.speedAccuracy)
    course = try Self.quantity(reading.course, in: 0...360, or: .motion).map { $0 == 360 ? 0 : $0 }
    courseAccuracy = try Self.accuracy(reading.courseAccuracy)
    floor = reading.floor
    time = reading.time
    received = receipt.instant
    measured = receipt.instant - (try receipt.age(of: reading.time, by: reading.clock))
    self.source = source
  }

  /// The same fix at the place that more is known of than it says.
  public func moved(to place: Coordinate) -> Location {
    var fix = self
    fix.coordinate = place
    return fix
  }

  /// On the clock of `received`; never negative, and zero for as long as the device stands where it is said to stand.
  public func age(at now: Instant) -> Span { end == .never ? .zero : max(.zero, now - measured) }

  /// Metres: from below the deepest trench to where the atmosphere ends.
  public static let altitudes = -12_000.0...100_000.0
  /// Up to what leaves the earth.
  private static let speeds = 0.0...11_200.0

  /// NaN lies in no range.
  private static func quantity(
    _ value: Double?, in range: ClosedRange<Double>, or refusal: LocationRefusal
  ) throws(LocationRefusal) -> Double? {
    guard let value else { return nil }
    guard range.contains(value) else { throw refusal }
    return value
  }

  /// Nothing measures exactly: a zero, or less than a thousandth of the unit, is written by those who do not know.
  private static func accuracy(_ value: Double?) throws(LocationRefusal) -> Double? {
    let value = try quantity(value, in: 0...mostAccuracy, or: .accuracy)
    return value.flatMap { $0 < 0.001 ? nil : $0 }
  }

  /// Metres to the other side of the earth, where nothing is known any more.
  private static let mostAccuracy = 20_000_000.0
}
