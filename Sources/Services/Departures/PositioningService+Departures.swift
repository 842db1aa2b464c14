import Instants
import LocationArbitration
import Positioning

extension DepartureService {
  /// Takes an output for the listener `departures`.
  public func take(_ output: Locator.Output) {
    if case .found(_, let location) = output { take(location) }
  }
}

extension PositioningService: DepartureLocations {
  public func searchForDeparture(_ accuracy: DesiredAccuracy, timeout: Span) {
    search(.departures, accuracy, timeout: timeout)
  }

  public func endDepartureSearch() { end(.departures) }
}
