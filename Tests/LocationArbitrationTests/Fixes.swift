import Geodesy
import Instants
import LocationArbitration
import Locations
import RealModule
import Seeds
import TestSupport
import Testing

/// Makes fixes around a position.
struct Fixes {
  static let place = Coordinate(latitude: 52.52, longitude: 13.405)
  var origin: Coordinate
  var random = SeededGenerator(seed: 1)

  init(at origin: Coordinate? = Self.place, seed: UInt64 = 1) throws {
    self.origin = try #require(origin)
    random = SeededGenerator(seed: seed)
  }

  /// Returns a fix at a position in metres and at a time of receipt in seconds.
  func fix(
    east: Double = 0, north: Double = 0, at seconds: Double, accuracy: Double? = 5, speed: Double? = nil,
    speedAccuracy: Double? = nil, course: Double? = nil, from source: Location.Source = .gpsd, age: Double? = nil
  ) throws -> Location {
    let toEast = origin.destination(azimuth: 90, distance: east).coordinate
    let place = toEast.destination(azimuth: 0, distance: north).coordinate
    var reading = LocationReading(latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: accuracy)
    reading.speed = speed
    reading.speedAccuracy = speedAccuracy
    reading.course = course
    guard let age else { return try Location(reading, from: source, at: Receipt(recorded: .at(seconds))) }
    let time = Receipt.release + .seconds(86_400 + seconds)
    reading.time = time - .seconds(age)
    return try Location(reading, from: source, at: Receipt(instant: .at(seconds), wallClock: .init(time: time, isSynchronised: true)))
  }

  /// Returns a fix with noise of `sigma` metres along each axis.
  mutating func noisy(east: Double = 0, north: Double = 0, at seconds: Double, sigma: Double = 5) throws -> Location {
    try fix(east: east + sigma * random.normal(), north: north + sigma * random.normal(), at: seconds, accuracy: sigma)
  }
}

extension Instant {
  static func at(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }
}

extension Location.Source {
  static let gpsd = Location.Source("gpsd")
  static let indoor = Location.Source("indoor", lifetime: .seconds(5))
  static let geoClue = Location.Source("geoClue", lifetime: .seconds(300), isSteady: false)
  static let fixed = Location.Source("fixed", lifetime: nil, isSteady: false)
}

extension SourceAbility {
  static let satellites = SourceAbility(.gpsd, typicalAccuracy: 5, cost: .high)
  static let network = SourceAbility(.geoClue, typicalAccuracy: 50, cost: .low)
  static let shop = SourceAbility(.fixed, typicalAccuracy: 1, cost: .none)
}
