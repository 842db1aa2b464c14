import Failures
import Instants
import Locations
import Venues

/// The daemon as the search for the present place sees it.
///
/// No completion and no handler is called inside the call that takes it.
public protocol PlaceLink: AnyObject {
  /// Requests the plans of all venues.
  func requestPlans(_ completion: @escaping (Result<[PlanReport], PlaceRefusal>) -> Void)
  /// Follows the location of the device while the returned object is held.
  func follow(_ handler: @escaping (PlaceUpdate) -> Void) -> AnyObject
  /// Requests one location with its address, while the returned object is held. The completion takes nil after a failure.
  ///
  /// - Parameter accuracy: one sigma, in metres.
  func locate(accuracy: Double, timeout: Span, _ completion: @escaping (LocationReport?) -> Void) -> AnyObject
  /// Requests the places of a venue that are next to a point, the nearest first.
  func requestPlaces(
    near point: PlacePoint, limit: Int, _ completion: @escaping (Result<[PlaceReport], PlaceRefusal>) -> Void)
}

/// A point in a venue, by its coordinates on the earth.
public struct PlacePoint: Hashable, Sendable {
  public let latitude: Double
  public let longitude: Double
  /// The id of the venue.
  public let venue: String
  /// The id of the level; nil if it is unknown.
  public let level: String?

  public init(latitude: Double, longitude: Double, venue: String, level: String?) {
    (self.latitude, self.longitude, self.venue, self.level) = (latitude, longitude, venue, level)
  }
}

/// An update of the location of the device.
public enum PlaceUpdate: Sendable {
  case located(LocationReport)
  /// The location is unknown, for this reason.
  case unknown(String)
  case refused(PlaceRefusal)
}

/// The refusal of a request.
public struct PlaceRefusal: Error, Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// The user does not consent, or may not ask.
    case noPermission
    case noSuchVenue
    case other
  }

  public let cause: Cause
  /// The message of the daemon.
  public let message: String
  /// The failure of a program that needs the answer.
  public let failure: Failure

  public init(_ cause: Cause, _ message: String, _ failure: Failure) {
    (self.cause, self.message, self.failure) = (cause, message, failure)
  }
}
