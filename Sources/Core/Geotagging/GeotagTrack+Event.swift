public import Events
import Geodesy

extension GeotagTrack.Fix {
  /// Creates the fix of an event.
  ///
  /// Nil for a test, for an event without a location, and while the clock of the device was wrong.
  public init?(_ event: Event) {
    guard event.isClockSynchronised != false, event.isTest != true, let location = event.location, let time = event.reason.fixTime,
      abs(location.longitude) <= 180, let coordinate = Coordinate(latitude: location.latitude, longitude: location.longitude)
    else { return nil }
    self.init(time: time, coordinate: coordinate, accuracy: location.horizontalAccuracy)
  }
}
