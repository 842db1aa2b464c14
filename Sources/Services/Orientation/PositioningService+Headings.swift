import LocationArbitration
import Locations
import Positioning

extension HeadingService {
  /// Takes an output for the listener `headings`.
  public func take(_ output: Locator.Output) {
    if case .update(_, let location) = output { take(location) }
  }
}

extension PositioningService: HeadingLocations {
  public func request(_ request: LocationRequest?) {
    if let request {
      listen(.headings, request)
    } else {
      end(.headings)
    }
  }
}
