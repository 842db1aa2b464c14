import Geodesy
import Instants

/// A fix: the location of the device, its accuracy, and the time of its measurement.
///
/// It is created from a reading, and only if no value in that reading is impossible. A value is nil if it is unknown; every accuracy is
/// one standard deviation.
public struct Location: Hashable, Sendable {
  /// The origin of a location, and the meaning of its fixes. The module of a source defines its value.
  public struct Source: Hashable, Sendable {
    /// The name in records, such as `gpsd`.
    public let name: String
    /// The time after which a fix no longer describes the location; nil for a device that does not move.
    public let lifetime: Span?
    /// Whether the source reports the location periodically, not only when it changes.
    public let isSteady: Bool

    /// Creates a source; without other arguments, a receiver that reports every second or every few seconds.
    public init(_ name: String, lifetime: Span? = .seconds(30), isSteady: Bool = true) {
      self.name = name
      self.lifetime = lifetime
      self.isSteady = isSteady
    }
  }

  public private(set) var coordinate: Coordinate
  /// Metres above mean sea level.
  public let altitude: Double?
  /// Metres above the WGS84 ellipsoid.
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
  /// The floor of a building; 0 is the ground floor.
  public let floor: Int?
  /// The time since the Unix epoch that the source reports; nil if it reports none.
  public let time: Instant?
  /// The time of reception on the boot clock, which continues while the machine sleeps.
  /// A recording uses its own clock.
  public let received: Instant
  /// The time of the measurement on the clock of `received`, never later than `received`.
  /// It is earlier only if the fix has a time and the wall clock is reliable.
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

  /// Returns a copy at a better-estimated coordinate; the accuracy is unchanged.
  public func moved(to place: Coordinate) -> Location {
    var fix = self
    fix.coordinate = place
    return fix
  }

  /// Returns the age on the clock of `received`.
  /// It is never negative, and zero for a configured location that does not expire.
  public func age(at now: Instant) -> Span { end == .never ? .zero : max(.zero, now - measured) }

  /// The possible altitudes in metres: from below the deepest trench to the top of the atmosphere.
  public static let altitudes = -12_000.0...100_000.0
  /// The possible speeds in m/s: up to escape velocity.
  private static let speeds = 0.0...11_200.0

  /// Returns the value if it lies in the range; NaN lies in no range.
  private static func quantity(
    _ value: Double?, in range: ClosedRange<Double>, or refusal: LocationRefusal
  ) throws(LocationRefusal) -> Double? {
    guard let value else { return nil }
    guard range.contains(value) else { throw refusal }
    return value
  }

  /// Returns the accuracy if it is plausible.
  /// No instrument is exact: a source that does not know its accuracy writes zero, or less than a thousandth of the unit.
  private static func accuracy(_ value: Double?) throws(LocationRefusal) -> Double? {
    let value = try quantity(value, in: 0...mostAccuracy, or: .accuracy)
    return value.flatMap { $0 < 0.001 ? nil : $0 }
  }

  /// The distance in metres to the opposite side of the earth, at which an accuracy says nothing.
  private static let mostAccuracy = 20_000_000.0
}

extension Location {
  /// The time after which the fix no longer describes the location, even without a newer one.
  /// It is on the clock of `received`, and `.never` for a device that does not move.
  public var end: Instant { source.lifetime.map { measured + $0 } ?? .never }

  /// Whether the source reports the location periodically, not only when it changes.
  public var isSteady: Bool { source.isSteady }

  /// Returns the accuracy plus the distance that a brisk walk may have covered since the measurement, in metres.
  /// It is infinite if the accuracy is unknown.
  public func uncertainty(at now: Instant) -> Double {
    guard let horizontalAccuracy else { return .infinity }
    return end == .never ? horizontalAccuracy : horizontalAccuracy + Self.drift * age(at: now).seconds
  }

  /// Brisk walking speed in m/s.
  private static let drift = 2.0

  public func isCurrent(at now: Instant) -> Bool { now < end }
}
