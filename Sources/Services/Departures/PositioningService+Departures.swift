import Instants
import LocationArbitration
import Positioning

extension DepartureService {
  /// Takes an output for the search that the service has requested; returns false for another listener's.
  public func take(_ output: Locator.Output) -> Bool {
    switch output {
    case .found(PositioningService.departureListener, let location): take(location)
    case .progress(PositioningService.departureListener, _): break
    default: return false
    }
    return true
  }
}

extension PositioningService: DepartureLocations {
  /// The listener that the searches for departures use, which is neither that of headings nor that of guidance.
  public static let departureListener = headingListener - 2

  public func searchForDeparture(_ accuracy: DesiredAccuracy, timeout: Span) {
    search(Self.departureListener, accuracy, timeout: timeout)
  }

  public func endDepartureSearch() { end(Self.departureListener) }
}
