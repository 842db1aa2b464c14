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
  public func setGuiding(_ isGuiding: Bool) {
    if isGuiding { listen(.guidance, LocationRequest()) } else { end(.guidance) }
  }

  public func setFollowingMotion(_ isFollowing: Bool) { setMotion(isFollowing, for: .guidance) }
}

extension HeadingService: GuidanceHeadings {
  public func setGuiding(_ isGuiding: Bool) {
    if isGuiding { listen(.guidance, GuidanceService.headingRequest) } else { end(.guidance) }
  }
}

extension GuidanceService {
  /// Takes an output for the listener `guidance`. The next check of the service notices an unknown location.
  public func take(_ output: Locator.Output) {
    if case .update(_, let location) = output { take(location) }
  }

  /// Takes an output for the client `guidance`.
  public func take(_ output: HeadingService.Output) {
    switch output {
    case .update(_, let update):
      let heading = update.trueHeading.flatMap { degrees in update.trueAccuracy.map { TrustedHeading(degrees: degrees, accuracy: $0) } }
      // The reason arrives separately, once.
      take(heading, note: heading == nil ? headingNote : nil)
    case .failed(_, let failure):
      let isMissing = failure.message == HeadingService.noCompass
      take(TrustedHeading?.none, note: failure.reason == .disturbed ? .disturbed : isMissing ? .noCompass : .other(failure.message))
    case .calibration(_, let status):
      if status.isNeeded == true { take(heading, note: heading == nil ? .uncalibrated : nil) }
    }
  }
}
