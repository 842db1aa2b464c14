import Geodesy
import Instants
import Locations
import Records
import Regions

extension Fix {
  /// Nil when nobody knows how far off the location may be: then it says nothing of a boundary.
  ///
  /// - Parameter time: when it was so, on the engine's clock.
  public init?(_ location: Location, at time: Instant) {
    guard let accuracy = location.horizontalAccuracy else { return nil }
    self.init(place: location.coordinate, accuracy: accuracy, speed: location.speed, time: time, isLasting: location.end == .never)
  }

  /// With the keys that a location has everywhere.
  public var record: Record {
    Record([
      "latitude": .degreesOnEarth(place.latitude), "longitude": .degreesOnEarth(place.longitude), "horizontalAccuracy": .metres(accuracy),
      "speed": speed.map { .quantity($0, decimals: 2) },
    ])
  }
}
