public import FleetQueries
public import People
public import WebPage

public typealias ArchiveAnswer<Value> = (Result<Value, PageRefusal>) -> Void

/// The database of the fleet, as the page uses it. Each call completes once, on the caller's thread.
public protocol FleetArchive: AnyObject {
  /// Completes with the rows as JSON objects. Notes in the audit log that the person reads a history, once in an hour.
  func read(_ query: FleetQuery, by person: Person, _ answer: @escaping ArchiveAnswer<[ArchiveRow]>)
  /// Makes a change if the person has the role for it at this moment, and notes it in the audit log with the person.
  func make(_ change: FleetChange, by person: Person, _ answer: @escaping ArchiveAnswer<ChangeOutcome>)
  /// Finds the account of a name; nil if there is none.
  func account(named name: String, _ answer: @escaping ArchiveAnswer<Account?>)
  /// Stores a session by the hash of its cookie; completes with false if the password of the account has changed meanwhile.
  func begin(session: String, of account: Account, _ answer: @escaping ArchiveAnswer<Bool>)
  func end(session: String, _ answer: @escaping ArchiveAnswer<Void>)
  /// Counts a use of a login, and completes with its person; nil if it has ended.
  func person(of login: Login, _ answer: @escaping ArchiveAnswer<Person?>)
  /// Completes with the states of devices at some sites, and with the persons of logins.
  func feedUpdate(_ request: FeedRequest, _ answer: @escaping ArchiveAnswer<FeedUpdate>)
}

/// A row of an answer.
public struct ArchiveRow: Hashable, Sendable {
  /// The key for the next page.
  public var key: String
  public var json: String

  public init(key: String, json: String) { (self.key, self.json) = (key, json) }
}

public enum ChangeOutcome: Hashable, Sendable {
  case done
  /// The tag or the person does not exist.
  case notFound
  /// The person who wants the change has lost the role for it.
  case denied
  /// The role belongs to an administrator, who is an owner of every site regardless of roles.
  case administrator
  /// The person has too many shares.
  case tooMany
}

public struct Account: Hashable, Sendable {
  public var person: Int32
  /// The hash of the password; nil for a person who signs in through a proxy alone.
  public var password: String?

  public init(person: Int32, password: String?) { (self.person, self.password) = (person, password) }
}

/// The proof of a person's identity that a request has.
public enum Login: Hashable, Sendable {
  /// A cookie, by its hash.
  case session(String)
  /// The name that a trusted proxy states.
  case proxy(String)
}

/// Verifies passwords outside of the loop.
public protocol PasswordVerifier: AnyObject {
  /// Verifies a password, with the same effort if there is no hash.
  ///
  /// - Returns: false if too many verifications wait, and then `completion` is never called.
  func verify(_ password: String, against hash: String?, _ completion: @escaping (PasswordVerdict) -> Void) -> Bool
}

public enum PasswordVerdict: Hashable, Sendable {
  case right
  case wrong
  /// The machine has too little memory at present.
  case unavailable
}

extension PageRefusal {
  public static let database = PageRefusal(
    503, "database", "the database of the fleet does not answer; try again, and read the reason in the log of beaconmon-hub")
  public static let schema = PageRefusal(
    503, "schema", "the database has the schema of another version; run \"beaconmon-hub migrate\", or read the log of beaconmon-hub")
  static let busy = PageRefusal(503, "busy", "too many people are signing in; try again in a few seconds")
  static let wrongPassword = PageRefusal(401, "password", "the name or the password is wrong")
  static let attempts = PageRefusal(429, "attempts", "too many attempts to sign in; wait a minute")
  static let administrator = PageRefusal(
    409, "administrator", "the person is an administrator, and so an owner of every site; \"beaconmon-hub admin person remove\" ends that")
  static let shares = PageRefusal(429, "shares", "you have eight shares, or have begun sixty within an hour; end one of them or wait")
  static let signedOut = PageRefusal(401, "no-session", "your session has ended; sign in again")
}
