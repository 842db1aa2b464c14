import Consent
import DBus
import Records

/// Who may learn where the device is, as the daemon has it decided.
public protocol ConsentAuthority: AnyObject {
  /// False: nobody is told anything.
  var isEnabled: Bool { get }
  /// What is wrong with the file of decisions, or was at the start, and what to do; nil while nothing is.
  var note: String? { get }
  /// What the system knows of whoever has these credentials.
  func person(_ credentials: BusCredentials) -> Person
  /// Whether the bus' policy lets that person hear every event.
  func isInsider(_ person: Person) -> Bool
  /// What is decided already.
  func verdict(for person: Person) -> ConsentPolicy.Verdict
  /// Has it decided, where nobody has: `completion` may come at once, or when people have answered.
  func request(_ use: Use, for client: ConsentClient, completion: @escaping (ConsentPolicy.Verdict) -> Void)

  /// One of its sessions is being told from now on, until `end` was called as often.
  func begin(_ client: ConsentClient)
  func end(_ client: ConsentClient)

  /// What was decided: `kind` (`user` or `group`), `number`, `name`, `authorization`, `decidedBy` (`administrator` or `polkit`), `time`.
  var decisions: [Record] { get }
  /// Who has asked, the latest first: `user`, `userName`, `appId`, `purpose`, `time`, `authorization`.
  var requests: [Record] { get }
  /// When somebody was told, the latest first: `user`, `userName`, `appId`, `purpose`, `began`, `ended`.
  var uses: [Record] { get }
  /// Whether that caller may decide for others; asks where it takes people.
  func authorizeManager(_ person: Person, busName: String, completion: @escaping (Bool) -> Void)
  func setEnabled(_ isEnabled: Bool) throws(DBusError)
  /// - Parameter authorization: nil forgets what was decided.
  func decide(_ subject: Subject, _ authorization: Authorization?, by person: Person) throws(DBusError)
}

/// A client as it stands before whoever decides.
public struct ConsentClient: Hashable, Sendable {
  /// Unique.
  public var busName: String
  public var person: Person
  /// Claims of the client's own.
  public var app: AppID?
  public var purpose: Purpose
}
