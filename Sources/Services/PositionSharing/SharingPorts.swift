import Consent
import FleetMessages

/// The file of the users' consent.
public protocol SharingFile: AnyObject {
  /// Returns the text; nil if there is none yet.
  func read() throws -> String?
  /// Stores the text, which then survives a loss of power.
  func write(_ text: String) throws
  /// Removes the file. Returns false if it remains.
  func remove() -> Bool
}

/// The daemon, which locates this device if the user of this program may learn the location.
public protocol PositionSource: AnyObject {
  /// Opens a session that locates. `handler` is never called inside this call.
  ///
  /// - Parameter purpose: the reason that `beaconmon privacy` shows.
  func openSession(
    for purpose: String, _ handler: @escaping (PositionSessionEvent) -> Void
  ) throws(PositionSourceFailure) -> any PositionSession
}

/// A session that locates the device; it begins again whenever the daemon returns.
///
/// It ends when it is released, which must not happen inside its handler.
public protocol PositionSession: AnyObject {
  /// Starts locating, or repeats a request that was refused.
  ///
  /// - Parameters:
  ///   - desiredAccuracy: one sigma in metres; zero requests the best available accuracy.
  ///   - distanceFilter: the distance in metres below which a location is not reported again; nil for every location.
  func startLocating(desiredAccuracy: Double, distanceFilter: Double?)
}

/// An event of a session that locates.
public enum PositionSessionEvent: Hashable, Sendable {
  /// The position; nil if it is unknown, or if there is no session.
  case position(SharedPosition?)
  /// The user has this authorization from now on. The daemon may send no further location in the same session.
  case authorization(Authorization)
  /// The user does not consent. The session repeats the request after a consent.
  case withoutConsent(String)
  /// The daemon refuses the request for another reason, which may be temporary.
  case refused(String)
}

/// The reason why a session cannot be opened.
public struct PositionSourceFailure: Error, Hashable, Sendable {
  public let reason: String

  public init(_ reason: String) { self.reason = reason }
}
