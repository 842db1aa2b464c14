import Consent
import DBus
import Records

/// The daemon's decisions about which users may learn the device's location.
public protocol ConsentAuthority: AnyObject {
  /// False if location services are off, in which case no client learns anything.
  var isEnabled: Bool { get }
  /// A problem with the file of decisions, now or at the start, and its remedy; nil if there is none.
  var note: String? { get }
  /// Returns the person that the system knows by these credentials.
  func person(_ credentials: BusCredentials) -> Person
  /// Returns true if the bus policy lets the person receive every event.
  func isInsider(_ person: Person) -> Bool
  /// Returns the current decision, without asking.
  func verdict(for person: Person) -> ConsentPolicy.Verdict
  /// Requests a decision if there is none. Calls `completion` at once, or when a person has answered.
  func request(_ use: Use, for client: ConsentClient, completion: @escaping (ConsentPolicy.Verdict) -> Void)

  /// Records that a session of the client receives locations or beacons, until `end` was called as often.
  func begin(_ client: ConsentClient)
  func end(_ client: ConsentClient)

  /// The decisions on consent.
  ///
  /// Each has `kind` (`user` or `group`), `number`, `name`, `authorization`, `decidedBy` (`administrator` or `polkit`) and `time`.
  var decisions: [Record] { get }
  /// The requests for consent, the latest first: `user`, `userName`, `appId`, `purpose`, `time`, `authorization`.
  var requests: [Record] { get }
  /// The periods in which a client received data, the latest first: `user`, `userName`, `appId`, `purpose`, `began`, `ended`.
  var uses: [Record] { get }
  /// Calls `completion` with true if the caller may decide for other users. Asks the user if the policy requires it.
  func authorizeManager(_ person: Person, busName: String, completion: @escaping (Bool) -> Void)
  func setEnabled(_ isEnabled: Bool) throws(DBusError)
  /// Records a decision.
  ///
  /// - Parameter authorization: the decision; nil forgets it.
  func decide(_ subject: Subject, _ authorization: Authorization?, by person: Person) throws(DBusError)
}

/// A client as it appears in a request for consent.
public struct ConsentClient: Hashable, Sendable {
  /// The client's unique name on the bus.
  public var busName: String
  public var person: Person
  /// The app that the client claims to be, and below its claimed purpose; nil if it names no app.
  public var app: AppID?
  public var purpose: Purpose
}
