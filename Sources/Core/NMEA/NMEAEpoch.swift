import Instants
import Locations

/// The content of all sentences for one moment.
struct NMEAEpoch {
  let timeOfDay: Int64?
  private(set) var day: Instant?
  private(set) var kinds: Set<NMEAMessage.Kind> = []
  private(set) var last: NMEAMessage.Kind
  /// Whether the epoch was reported; later sentences of it are ignored.
  var isReported = false

  private var position: (latitude: Double, longitude: Double)?
  private var isRefused = false
  private(set) var quality: NMEAMessage.Quality?
  private var altitude: Double?
  private var geoidSeparation: Double?
  private var speed: Double?
  private var course: Double?
  private var hdop: Double?
  private var vdop: Double?
  private var satellitesUsed: Int?
  private var dimensions: Int?
  private var deviations: (latitude: Double, longitude: Double)?
  private var altitudeDeviation: Double?

  init(_ message: NMEAMessage) {
    timeOfDay = message.timeOfDay
    last = message.kind
    absorb(message)
  }

  var hasPosition: Bool { position != nil }

  /// Whether its position is a fix, according to all sentences so far.
  var isFix: Bool { hasPosition && !isRefused && dimensions != 1 }

  mutating func absorb(_ message: NMEAMessage) {
    kinds.insert(message.kind)
    last = message.kind
    day = message.day ?? day
    if let latitude = message.latitude, let longitude = message.longitude { position = (latitude, longitude) }
    if let quality = message.quality {
      if quality == .none { isRefused = true }
      // RMC before version 2.3 is less specific than GGA.
      if message.kind != .rmc || self.quality == nil { self.quality = quality }
    }
    altitude = message.altitude ?? altitude
    geoidSeparation = message.geoidSeparation ?? geoidSeparation
    speed = message.speed ?? speed
    course = message.course ?? course
    hdop = message.hdop ?? hdop
    vdop = message.vdop ?? vdop
    satellitesUsed = message.satellitesUsed ?? satellitesUsed
    dimensions = message.dimensions ?? dimensions
    if let latitude = message.latitudeDeviation, let longitude = message.longitudeDeviation { deviations = (latitude, longitude) }
    altitudeDeviation = message.altitudeDeviation ?? altitudeDeviation
  }

  /// Adopts the noise of an earlier epoch of the same quality, if this epoch has none.
  /// Receivers send GST after all other sentences, and not in every epoch.
  mutating func borrow(noise: NMEAMessage, of quality: NMEAMessage.Quality?) {
    guard deviations == nil, self.quality == quality, let timeOfDay, let then = noise.timeOfDay else { return }
    // The modulus handles midnight.
    guard (timeOfDay - then + Self.day) % Self.day <= Self.noiseLife else { return }
    if let latitude = noise.latitudeDeviation, let longitude = noise.longitudeDeviation { deviations = (latitude, longitude) }
    altitudeDeviation = altitudeDeviation ?? noise.altitudeDeviation
  }

  /// Microseconds.
  private static let (noiseLife, day): (Int64, Int64) = (5_000_000, 86_400_000_000)

  /// Returns the report.
  ///
  /// - Parameter time: since the Unix epoch.
  func report(time: Instant?) -> SourceReport {
    guard let position else { return .searching(.init(used: satellitesUsed), time: time) }
    var reading = LocationReading(latitude: position.latitude, longitude: position.longitude, time: time)
    reading.isFix = isFix
    reading.horizontalAccuracy = horizontalAccuracy
    if dimensions != 2 {
      reading.altitude = altitude
      if let altitude, let geoidSeparation { reading.ellipsoidalAltitude = altitude + geoidSeparation }
      reading.verticalAccuracy = altitude == nil ? nil : verticalAccuracy
    }
    reading.speed = speed
    reading.course = course
    return .reading(reading)
  }

  // MARK: - Accuracy

  /// The standard deviation of one pseudorange in metres.
  /// It is 7.1 m for an autonomous fix on one frequency, as in consumer receivers (Kaplan and Hegarty, Understanding GPS, table of the
  /// Standard Positioning Service's error budget). With corrections it is a quarter of that, as in gpsd.
  private var rangeError: Double? {
    switch quality {
    case .autonomous: 7.1
    case .differential: 7.1 / 4
    case .estimated, .some(.none), nil: nil
    }
  }

  /// The accuracy of one axis.
  /// GST gives each axis. HDOP is the root of the sum of both axes' squares, for a deviation of 1 in each range.
  private var horizontalAccuracy: Double? {
    // The error of dead reckoning is unknown.
    guard quality != .estimated else { return nil }
    // Receivers write zeros for unknown values.
    if let deviations, deviations.latitude != 0 || deviations.longitude != 0 {
      return ((deviations.latitude * deviations.latitude + deviations.longitude * deviations.longitude) / 2).squareRoot()
    }
    guard let hdop, let rangeError else { return nil }
    return hdop * rangeError / 2.0.squareRoot()
  }

  private var verticalAccuracy: Double? {
    if let altitudeDeviation, altitudeDeviation != 0 { return altitudeDeviation }
    guard let vdop, let rangeError else { return nil }
    return vdop * rangeError
  }
}
