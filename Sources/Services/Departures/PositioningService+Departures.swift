import Instants
import LocationArbitration
import Positioning

extension DepartureService {
  /// Takes an output for the listener `departures`.
  public func take(_ output: Locator.Output) {
    switch output {
    case .found(_, let location): take(location)
    case .progress(_, let location): take(progress: location)
    default: break
    }
  }
}

extension PositioningService: DepartureLocations {
  public func searchForDeparture(_ accuracy: DesiredAccuracy, timeout: Span) {
    search(.departures, accuracy, timeout: timeout)
  }

  public func endDepartureSearch() { end(.departures) }
}
