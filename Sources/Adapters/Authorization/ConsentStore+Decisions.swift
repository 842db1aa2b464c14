import Consent
import Instants
import SQLite

// MARK: The switch and the decisions

extension ConsentStore {
  /// Returns the position of the switch: off while decisions are in doubt, on if the switch was never used.
  public func isEnabled() throws(DatabaseError) -> Bool { isInDoubt ? false : try switchPosition() ?? true }

  /// Returns the saved position of the switch; `nil` if it was never used.
  func switchPosition() throws(DatabaseError) -> Bool? {
    try database.prepare("SELECT is_on FROM switch WHERE name = 'location-services' AND \(checks.isIntact(.switch))").first {
      $0.integer(0) != 0
    }
  }

  /// Sets the switch, and ends any doubt: damaged rows are deleted, except denials.
  public func setEnabled(_ isEnabled: Bool) throws(DatabaseError) {
    try requireWritable()
    try database.transaction { () throws(DatabaseError) in
      if isInDoubt {
        let denials = try rows().filter { !$0.isIntact && $0.decision?.authorization == .denied }
        for table in CheckedTable.decisive { _ = try checks.removeDamagedRows(of: table) }
        for row in denials { if let subject = row.subject, let decision = row.decision { try write(decision, for: subject) } }
        for row in try rows() where row.subject == nil || row.decision == nil { try row.delete(from: database) }
      }
      try setSwitch(isEnabled)
      if isInDoubt { for table in CheckedTable.decisive { try checks.rebuildHead(of: table) } }
    }
    if isInDoubt, let path, case .kept = access { try checks.countCommits(beside: path) }
    isInDoubt = false
  }

  func setSwitch(_ isEnabled: Bool) throws(DatabaseError) {
    try database.prepare(
      "INSERT OR REPLACE INTO switch VALUES ('location-services', ?1, \(checks.checksum(of: "'location-services', ?1", in: .switch)))"
    ).run(.integer(isEnabled ? 1 : 0))
  }

  /// Returns the readable decisions, including denials with a wrong checksum. Other rows with a wrong checksum are ignored.
  public func decisions() throws(DatabaseError) -> [Subject: Decision] {
    try rows().reduce(into: [:]) { result, row in
      guard let subject = row.subject, let decision = row.decision, row.isIntact || decision.authorization == .denied else { return }
      result[subject] = decision
    }
  }

  /// - Parameter decision: the decision; `nil` removes it.
  public func set(_ decision: Decision?, for subject: Subject) throws(DatabaseError) {
    try requireWritable()
    try database.transaction { () throws(DatabaseError) in
      if let decision { return try write(decision, for: subject) }
      try database.prepare("DELETE FROM decision WHERE kind = ? AND number = ?").run(
        .text(subject.kind.rawValue), .integer(Int64(subject.number)))
    }
  }

  func write(_ decision: Decision, for subject: Subject) throws(DatabaseError) {
    let values = "?1, ?2, ?3, ?4, ?5"
    try database.prepare("INSERT OR REPLACE INTO decision VALUES (\(values), \(checks.checksum(of: values, in: .decision)))").run(
      .text(subject.kind.rawValue), .integer(Int64(subject.number)), .text(decision.authorization.rawValue), .integer(decision.author.user),
      .integer(decision.time.microseconds))
  }

  /// Returns the readable denials in a file that cannot be used.
  static func denials(in path: String) -> [Subject: Decision] {
    var found: [Subject: Decision] = [:]
    // Reads from both ends, because a page between them may be damaged.
    for order in ["ASC", "DESC"] {
      do throws(DatabaseError) {
        let database = try Database.copy(of: path)
        let statement = try database.prepare(
          "SELECT kind, number, authorization, author, time FROM decision ORDER BY kind \(order), number \(order)")
        try statement.each([]) { row in
          if let subject = Subject(row.text(0), row.integer(1)), let decision = Decision(row.text(2), row.integer(3), row.integer(4)),
            decision.authorization == .denied
          {
            found[subject] = decision
          }
          return true
        }
      } catch {
        // The rest cannot be read. The damage is reported, and location services are off.
      }
    }
    return found
  }

  /// An unchecked row of the table `decision`.
  struct DecisionRow {
    let kind: String?
    let number: Int64?
    let subject: Subject?
    let decision: Decision?
    let isIntact: Bool

    func delete(from database: Database) throws(DatabaseError) {
      try database.prepare("DELETE FROM decision WHERE kind IS ? AND number IS ?").run(.text(kind), .integer(number))
    }
  }

  func rows() throws(DatabaseError) -> [DecisionRow] {
    try database.prepare("SELECT kind, number, authorization, author, time, \(checks.isIntact(.decision)) FROM decision").all { row in
      DecisionRow(
        kind: row.text(0), number: row.integer(1), subject: Subject(row.text(0), row.integer(1)),
        decision: Decision(row.text(2), row.integer(3), row.integer(4)), isIntact: row.integer(5) == 1)
    }
  }
}

// MARK: Stored forms

extension Subject {
  fileprivate init?(_ kind: String?, _ number: Int64?) {
    guard let kind = kind.flatMap(Kind.init(rawValue:)), let number = number.flatMap({ UInt32(exactly: $0) }) else { return nil }
    self.init(kind: kind, number: number)
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
