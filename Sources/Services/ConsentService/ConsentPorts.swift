import Consent
import Instants

/// The stored decisions, requests, uses and registrations. Each change is on the disk when the call returns.
public protocol ConsentFile: AnyObject {
  /// A problem with the file, now or when it was opened, and its remedy; nil if there is none.
  var note: String? { get }
  /// The reason why other users may read or replace the file, and the remedy; nil if they may not.
  var permissionWarning: String? { get }
  /// Whether the file could not be read. Its content is unknown, and changes are kept in memory.
  var isUnreadable: Bool { get }
  /// Opens a file that could not be read. If it returns true, the file replaces what was kept in memory.
  func reopen() -> Bool

  /// Returns whether location services are on.
  func isEnabled() throws -> Bool
  func setEnabled(_ isEnabled: Bool) throws
  func decisions() throws -> [Subject: Decision]
  /// Stores a decision; nil forgets it.
  func set(_ decision: Decision?, for subject: Subject) throws

  /// Writes the unwritten entries of the log in one commit.
  func write(_ log: inout ConsentLog, at time: Instant) throws
  /// Returns the requests, the latest first.
  func requests() throws -> [ConsentRequest]
  /// Returns the uses, the latest first.
  func uses() throws -> [ConsentUse]

  /// Returns the regions that apps have registered, in the order of their registration.
  func registrations() throws -> [Registration]
  /// Adds a registration, and replaces one of the same user, app and identifier.
  func add(_ registration: Registration) throws
  /// Removes a region of an app.
  ///
  /// - Parameter identifier: nil for all regions of the app.
  func removeRegistrations(of app: AppID, user: UInt32, identifier: String?) throws
}

/// The users and groups of the system.
public protocol PersonDirectory {
  /// Returns the numbers of a user's groups; empty if there is no such user.
  func groups(of user: UInt32) -> [UInt32]
  /// Returns the number of a user; nil if there is no such user. A number counts as itself.
  func userNumber(_ name: String) -> UInt32?
  /// Returns the number of a group; nil if there is no such group. A number counts as itself.
  func groupNumber(_ name: String) -> UInt32?
  /// Returns the name of a user; nil if the system knows none.
  func userName(_ number: UInt32) -> String?
  /// Returns the name of a group; nil if the system knows none.
  func groupName(_ number: UInt32) -> String?
}

/// The dialog that asks a user or an administrator, such as polkit's.
public protocol ConsentDialog: AnyObject {
  /// Asks, and calls `completion` with the answer.
  ///
  /// - Parameters:
  ///   - busName: the unique name of the client, from which the dialog knows its user.
  ///   - details: texts for the messages of the dialog, by name. They are claims of the client.
  func ask(_ question: DialogQuestion, for busName: String, details: [(String, String)], completion: @escaping (DialogAnswer) -> Void)
}

public enum DialogQuestion: Sendable {
  /// Whether the client may learn the location while its session lives.
  case whenInUse
  /// Whether the client may also learn it after its session.
  case always
  /// Whether the client may decide for other users.
  case manage
  /// Whether the client may forget what receivers have learned at venues.
  case resetLearning
  /// Whether the client may read and change the texts of venues.
  case editVenues
}

public enum DialogAnswer: Equatable, Sendable {
  case yes
  case no
  /// The dialog was closed without a decision.
  case dismissed
  /// No dialog, or no person that it can ask.
  case unavailable
}
