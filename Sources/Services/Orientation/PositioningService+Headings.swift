import LocationArbitration
import Locations
import Positioning

extension HeadingService {
  /// Takes an output for the locations that the service has requested; returns false for another listener's.
  public func take(_ output: Locator.Output) -> Bool {
    switch output {
    case .update(PositioningService.headingListener, let location): take(location)
    case .unknown(PositioningService.headingListener), .stationary(PositioningService.headingListener, _): break
    default: return false
    }
    return true
  }
}

extension PositioningService: HeadingLocations {
  public func request(_ request: LocationRequest?) {
    if let request {
      listen(Self.headingListener, request)
    } else {
      end(Self.headingListener)
    }
  }
}
