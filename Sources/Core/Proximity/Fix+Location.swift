import Events
import Geodesy
import Instants
import Locations
import Regions

extension Fix {
  /// Creates a fix; `nil` if the accuracy of the location is unknown, because it then decides no boundary.
  ///
  /// - Parameter time: when the device was there, on the engine's clock.
  public init?(_ location: Location, at time: Instant) {
    guard let accuracy = location.horizontalAccuracy else { return nil }
    self.init(place: location.coordinate, accuracy: accuracy, speed: location.speed, time: time, isLasting: location.end == .never)
  }
}

extension Event.Location {
  /// Creates the location of a fix.
  public init(_ fix: Fix) {
    self.init(latitude: fix.place.latitude, longitude: fix.place.longitude)
    (horizontalAccuracy, speed) = (fix.accuracy, fix.speed)
  }
}
