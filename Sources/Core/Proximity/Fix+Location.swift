import Geodesy
import Instants
import Locations
import Records
import Regions

extension Fix {
  /// Creates a fix; `nil` if the accuracy of the location is unknown, because it then decides no boundary.
  ///
  /// - Parameter time: when the device was there, on the engine's clock.
  public init?(_ location: Location, at time: Instant) {
    guard let accuracy = location.horizontalAccuracy else { return nil }
    self.init(place: location.coordinate, accuracy: accuracy, speed: location.speed, time: time, isLasting: location.end == .never)
  }

  /// The fix with the keys that a location has in all output.
  public var record: Record {
    Record([
      "latitude": .degreesOnEarth(place.latitude), "longitude": .degreesOnEarth(place.longitude), "horizontalAccuracy": .metres(accuracy),
      "speed": speed.map { .quantity($0, decimals: 2) },
    ])
  }
}
