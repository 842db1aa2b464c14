import Instants
import LocationArbitration
import Locations
public import Motion
import Orientation
import Positioning

/// The locations by which guidance leads.
public protocol GuidanceLocations: AnyObject {
  /// The latest location; nil while it is unknown.
  var location: Location? { get }
  /// The time on the clock of `Location.received`.
  var now: Instant { get }
  /// Returns the motion of the device at a location, which is unknown without sensors.
  func motion(at location: Location) -> DeviceMotion
  /// True if a source is configured.
  var hasSources: Bool { get }
  /// The reason why the location is unknown.
  var unknownReason: String { get }
  /// Requests locations, which go to `GuidanceService.take(_:)`, or ends the request.
  func setGuiding(_ isGuiding: Bool)
  /// Requests the motion of the device, or ends the request.
  func setFollowingMotion(_ isFollowing: Bool)
}

/// The headings by which guidance points.
public protocol GuidanceHeadings: AnyObject {
  /// Requests headings, which go to `GuidanceService.take(_:)`, or ends the request.
  func setGuiding(_ isGuiding: Bool)
}

extension PositioningService: GuidanceLocations {
  /// The listener that guidance uses.
  public static let guidanceListener = Locator.Listener.max - 1

  public func setGuiding(_ isGuiding: Bool) {
    if isGuiding { listen(Self.guidanceListener, LocationRequest()) } else { end(Self.guidanceListener) }
  }

  public func setFollowingMotion(_ isFollowing: Bool) { setMotion(isFollowing, for: .guidance) }
}

extension HeadingService: GuidanceHeadings {
  /// The client that guidance uses.
  public static let guidanceClient = Client.max

  public func setGuiding(_ isGuiding: Bool) {
    if isGuiding { listen(Self.guidanceClient, GuidanceService.headingRequest) } else { end(Self.guidanceClient) }
  }
}

extension GuidanceService {
  /// Takes an output for the locations that the service has requested; returns false for another listener's.
  public func take(_ output: Locator.Output) -> Bool {
    switch output {
    case .update(PositioningService.guidanceListener, let location): take(location)
    // The next check of the service notices it.
    case .unknown(PositioningService.guidanceListener), .stationary(PositioningService.guidanceListener, _): break
    default: return false
    }
    return true
  }

  /// Takes an output for the headings that the service has requested; returns false for another client's.
  public func take(_ output: HeadingService.Output) -> Bool {
    switch output {
    case .update(HeadingService.guidanceClient, let update):
      let heading = update.trueHeading.flatMap { degrees in update.trueAccuracy.map { TrustedHeading(degrees: degrees, accuracy: $0) } }
      // The reason comes by itself, once.
      take(heading, note: heading == nil ? headingNote : nil)
    case .failed(HeadingService.guidanceClient, let failure):
      let isMissing = failure.message == HeadingService.noCompass
      take(TrustedHeading?.none, note: failure.reason == .disturbed ? .disturbed : isMissing ? .noCompass : .other(failure.message))
    case .calibration(HeadingService.guidanceClient, let status):
      if status.isNeeded == true { take(heading, note: heading == nil ? .uncalibrated : nil) }
    default: return false
    }
    return true
  }
}
