import Consent
import Glibc
import Instants
import SQLite

/// The file of decisions, and of what was made of them. Each call is one commit, which is on the disk when the call returns.
public final class ConsentStore {
  /// The file; nil when it lives in memory.
  public let path: String?
  /// What had to be moved aside, and to where; nil when nothing had.
  public private(set) var note: String?
  let database: Database

  /// A file that is damaged, of another program or of a later version is moved aside: then nothing is decided, and location services are off
  /// until somebody says otherwise.
  public init(path: String?) throws(DatabaseError) {
    self.path = path
    guard let path else {
      database = try .inMemory()
      try Schema.consent.apply(to: database)
      return
    }
    do throws(DatabaseError) {
      database = try Self.open(path)
    } catch {
      guard error.isUnreadable, let name = UnreadableFile.moveAside(path) else { throw error }
      database = try Self.open(path)
      note =
        "\(path) could not be read and is \(name) now: \(error.message); what was decided has to be decided again, and apps have to register their regions again"
    }
    // Also where the new file could not be made when the old one went: what that one said of the switch and of users is not known.
    if try switchPosition() == nil, UnreadableFile.hasMovedAside(path) { try setEnabled(false) }
  }

  /// Whether something may have been decided in the file at `path`, readable or not. Opening makes one where there is none.
  public static func mayHold(_ path: String) -> Bool {
    access(path, F_OK) == 0 || errno != ENOENT || UnreadableFile.hasMovedAside(path)
  }

  private static func open(_ path: String) throws(DatabaseError) -> Database {
    let database = try Database(path: path, .exclusive)
    try database.quickCheck()
    try Schema.consent.apply(to: database)
    try database.enableWriteAheadLog()
    return database
  }
}

// MARK: What was decided

extension ConsentStore {
  public func isEnabled() throws(DatabaseError) -> Bool { try switchPosition() ?? true }

  /// Nil when nobody has turned it.
  private func switchPosition() throws(DatabaseError) -> Bool? {
    try database.prepare("SELECT is_on FROM switch WHERE name = 'location-services'").first { $0.integer(0) != 0 }
  }

  public func setEnabled(_ isEnabled: Bool) throws(DatabaseError) {
    try database.prepare("INSERT INTO switch VALUES ('location-services', ?1) ON CONFLICT DO UPDATE SET is_on = ?1")
      .run(.integer(isEnabled ? 1 : 0))
  }

  public func decisions() throws(DatabaseError) -> [Subject: Decision] {
    let rows = try database.prepare("SELECT kind, number, authorization, author, time FROM decision").all { row in
      (subject: Subject(row.text(0), row.integer(1)), decision: Decision(row.text(2), row.integer(3), row.integer(4)))
    }
    // What a later version wrote, or somebody by hand, decides nothing.
    return rows.reduce(into: [:]) { result, row in
      if let subject = row.subject, let decision = row.decision { result[subject] = decision }
    }
  }

  /// - Parameter decision: nil forgets what was decided.
  public func set(_ decision: Decision?, for subject: Subject) throws(DatabaseError) {
    guard let decision else {
      return try database.prepare("DELETE FROM decision WHERE kind = ? AND number = ?").run(.text(subject.kind), .integer(subject.number))
    }
    try database.prepare("INSERT OR REPLACE INTO decision VALUES (?, ?, ?, ?, ?)").run(
      .text(subject.kind), .integer(subject.number), .text(decision.authorization.rawValue), .integer(decision.author.user),
      .integer(decision.time.microseconds))
  }
}

// MARK: As it is stored

extension Subject {
  fileprivate init?(_ kind: String?, _ number: Int64?) {
    guard let number = number.flatMap({ UInt32(exactly: $0) }) else { return nil }
    switch kind {
    case "user": self = .user(number)
    case "group": self = .group(number)
    default: return nil
    }
  }

  fileprivate var kind: String {
    switch self {
    case .user: "user"
    case .group: "group"
    }
  }

  fileprivate var number: Int64 {
    switch self {
    case .user(let number), .group(let number): Int64(number)
    }
  }
}

extension Decision {
  fileprivate init?(_ authorization: String?, _ author: Int64?, _ time: Int64?) {
    guard let authorization = authorization.flatMap(Authorization.init(rawValue:)), let time else { return nil }
    let user = author.flatMap { UInt32(exactly: $0) }
    self.init(authorization, by: user.map { .administrator($0) } ?? .polkit, at: Instant(microseconds: time))
  }
}

extension Decision.Author {
  fileprivate var user: Int64? {
    switch self {
    case .administrator(let user): Int64(user)
    case .polkit: nil
    }
  }
}
