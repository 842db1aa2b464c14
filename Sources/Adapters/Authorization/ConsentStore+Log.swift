import Consent
import Instants
import SQLite

// MARK: Requests and uses

extension ConsentStore {
  /// The maximum for each user, so that a program that changes its name cannot fill the disk or displace other entries.
  private static let requestsPerUser = 32
  private static let usesPerUser = 250
  private static let mostUses = 1000

  /// Writes the changes of the log in one commit.
  public func write(_ log: inout ConsentLog, at time: Instant) throws(DatabaseError) {
    if log.hasNews {
      let numbers = try database.transaction { () throws(DatabaseError) in
        for (claimant, time) in log.requests { try note(claimant, at: time) }
        var numbers: [Claimant: Int64] = [:]
        // In order of time, because the numbers determine which use is the latest.
        for (claimant, use) in log.uses.sorted(by: { $0.value.began < $1.value.began }) where use.isNews {
          numbers[claimant] = try write(use, of: claimant)
        }
        try trim(Set(numbers.keys.map(\.user)))
        return numbers
      }
      for (claimant, number) in numbers { log.wrote(claimant, as: number) }
    }
    log.settle(at: time)
  }

  private func note(_ claimant: Claimant, at time: Instant) throws(DatabaseError) {
    let user = DatabaseValue.integer(Int64(claimant.user))
    try database.prepare("INSERT OR REPLACE INTO request VALUES (?1, ?2, ?3, ?4, \(checks.checksum(of: "?1, ?2, ?3, ?4", in: .request)))")
      .run(
        user, .text(claimant.app?.description ?? ""), .text(claimant.purpose.description), .integer(time.microseconds))
    try database.prepare(
      "DELETE FROM request WHERE user = ?1 AND app NOT IN (SELECT app FROM request WHERE user = ?1 ORDER BY time DESC LIMIT \(Self.requestsPerUser))"
    ).run(user)
  }

  /// Writes a use, and returns its number.
  private func write(_ use: ConsentLog.Use, of claimant: Claimant) throws(DatabaseError) -> Int64 {
    let ended = DatabaseValue.integer(use.ended?.microseconds)
    if let number = use.number {
      let checksum = try checks.checksum(of: "number, user, app, purpose, began, ?1", in: .use)
      try database.prepare("UPDATE use SET ended = ?1, checksum = \(checksum) WHERE number = ?2").run(ended, .integer(number))
      return number
    }
    let last = try database.prepare("SELECT max(number) FROM use").first { $0.integer(0) ?? 0 } ?? 0
    let (number, overflow) = last.addingReportingOverflow(1)
    guard !overflow else { throw DatabaseError(.full, path: path ?? "", message: "the numbers of uses are exhausted") }
    let values = "?1, ?2, ?3, ?4, ?5, ?6"
    try database.prepare("INSERT INTO use VALUES (\(values), \(checks.checksum(of: values, in: .use)))").run(
      .integer(number), .integer(Int64(claimant.user)), .text(claimant.app?.description ?? ""), .text(claimant.purpose.description),
      .integer(use.began.microseconds), ended)
    return number
  }

  private func trim(_ users: Set<UInt32>) throws(DatabaseError) {
    for user in users {
      try database.prepare(
        "DELETE FROM use WHERE user = ?1 AND number <= (SELECT number FROM use WHERE user = ?1 ORDER BY number DESC LIMIT 1 OFFSET \(Self.usesPerUser))"
      ).run(.integer(Int64(user)))
    }
    try database.prepare("DELETE FROM use WHERE number <= (SELECT number FROM use ORDER BY number DESC LIMIT 1 OFFSET \(Self.mostUses))")
      .run()
  }

  public func requests() throws(DatabaseError) -> [ConsentRequest] {
    try database.prepare("SELECT user, app, purpose, time FROM request WHERE \(checks.isIntact(.request)) ORDER BY time DESC").all { row in
      Claimant(row.integer(0), row.text(1), row.text(2)).map {
        ConsentRequest(claimant: $0, time: Instant(microseconds: row.integer(3) ?? 0))
      }
    }.compactMap(\.self)
  }

  /// Returns the uses, the latest first.
  public func uses() throws(DatabaseError) -> [ConsentUse] {
    try database.prepare("SELECT number, user, app, purpose, began, ended FROM use WHERE \(checks.isIntact(.use)) ORDER BY number DESC").all
    { row in
      Claimant(row.integer(1), row.text(2), row.text(3)).map {
        ConsentUse(
          number: row.integer(0) ?? 0, claimant: $0, began: Instant(microseconds: row.integer(4) ?? 0),
          ended: row.integer(5).map { Instant(microseconds: $0) })
      }
    }.compactMap(\.self)
  }
}

extension Claimant {
  fileprivate init?(_ user: Int64?, _ app: String?, _ purpose: String?) {
    guard let user = user.flatMap({ UInt32(exactly: $0) }), let purpose = purpose.flatMap(Purpose.init) else { return nil }
    self.init(user: user, app: app.flatMap(AppID.init), purpose: purpose)
  }
}
