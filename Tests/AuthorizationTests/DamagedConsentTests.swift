import Consent
import Glibc
import Instants
import SQLite
import TestSupport
import Testing

@testable import Authorization

/// Damaged, old and unwritable files of decisions: a denial never becomes a permission, and each loss is reported.
@Suite struct DamagedConsentTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.file("consent.db") }
  private static let denied = Decision(.denied, by: .administrator(0), at: Instant(microseconds: 1_795_219_200_000_000))
  private static let granted = Decision(.always, by: .polkit, at: Instant(microseconds: 1_795_219_200_000_000))

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// Denies user 7 and group 5, and allows user 8.
  private func decide() throws {
    let store = try ConsentStore(path: path)
    try store.setEnabled(true)
    try store.set(Self.denied, for: .user(7))
    try store.set(Self.granted, for: .user(8))
    try store.set(Self.denied, for: .group(5))
  }

  private func execute(_ sql: String) throws {
    try Database(path: path).execute(sql)
  }

  private func read(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var octets = [UInt8](repeating: 0, count: 1 << 20)
    octets.removeLast(octets.count - fread(&octets, 1, octets.count, file))
    return octets
  }

  private func write(_ octets: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "w"))
    #expect(fwrite(octets, 1, octets.count, file) == octets.count)
    fclose(file)
  }

  /// Whether no denial became a permission, and each loss is reported.
  private func isSafe(_ store: ConsentStore) throws -> Bool {
    let decisions = try store.decisions()
    let isKnown = decisions[.user(7)]?.authorization == .denied && decisions[.group(5)]?.authorization == .denied
    return try store.isEnabled() ? isKnown : store.note != nil
  }

  @Test func `a changed byte anywhere in the file never turns a denial into a permission`() throws {
    try decide()
    let octets = try read(path)
    var outcomes: [Bool: Int] = [:]
    // The damage suite tries every position. This test tries each 29th, whose multiples cover all offsets of a page.
    for position in stride(from: 0, to: octets.count, by: 29) {
      var damaged = octets
      damaged[position] ^= UInt8(truncatingIfNeeded: position % 255 + 1)
      for suffix in ["", "-journal", "-wal", "-commits", ".1"] { unlink(path + suffix) }
      try write(damaged, to: path)
      let store = try ConsentStore(path: path)
      #expect(try isSafe(store), "octet \(position)")
      outcomes[try store.isEnabled(), default: 0] += 1
    }
    // Most of a file is unused, and not all of the rest affects decisions.
    #expect(outcomes[true, default: 0] > 100 && outcomes[false, default: 0] > 20)
  }

  @Test(
    arguments: [
      ("DELETE FROM decision WHERE number = 7", "decisions: 1 is missing"),
      ("DELETE FROM decision", "decisions: 3 are missing"),
      ("DELETE FROM head WHERE name = 'decision'", "decisions: the expected number of rows is missing"),
      ("UPDATE decision SET authorization = 'always' WHERE number = 7", "decisions: 1 of 3 rows is damaged"),
      ("UPDATE decision SET number = 9 WHERE number = 7", "decisions: 1 of 3 rows is damaged"),
      ("UPDATE decision SET authorization = 'denie' WHERE number = 7", "decisions: 1 of 3 rows is damaged"),
      ("UPDATE decision SET time = -9223372036854775808", "decisions: 3 of 3 rows are damaged"),
      ("DELETE FROM switch", "the switch: 1 is missing"), ("UPDATE switch SET is_on = 2", "the switch: 1 of 1 row is damaged"),
    ])
  func `a damaged or missing row switches location services off until an administrator turns the switch on`(
    sql: String, finding: String
  ) throws {
    try decide()
    try execute(sql)
    // The switch stays off at each start until an administrator decides.
    for _ in 1...2 {
      let store = try ConsentStore(path: path)
      #expect(try !store.isEnabled())
      #expect(store.note?.contains("\(path) is damaged: \(finding)") == true)
      #expect(try sql.contains("'denie'") || sql.contains("number = ") || sql == "DELETE FROM decision" || isSafe(store))
    }
    do {
      let store = try ConsentStore(path: path)
      try store.set(Self.denied, for: .user(7))
      #expect(try !store.isEnabled())
      try store.setEnabled(true)
      #expect(try store.isEnabled())
    }
    let store = try ConsentStore(path: path)
    #expect(try store.isEnabled() && store.note == nil && store.decisions()[.user(7)]?.authorization == .denied)
  }

  @Test func `readable denials apply, and remain after an administrator turns the switch on`() throws {
    try decide()
    try execute("UPDATE decision SET time = 5; UPDATE decision SET author = 4 WHERE number = 8")
    let store = try ConsentStore(path: path)
    #expect(Set(try store.decisions().keys) == [.user(7), .group(5)])
    try store.setEnabled(true)
    #expect(Set(try store.decisions().keys) == [.user(7), .group(5)])
  }

  @Test func `a row from an earlier state is detected`() throws {
    let store = try ConsentStore(path: path)
    try store.set(Self.granted, for: .user(7))
    try store.database.execute("CREATE TEMP TABLE old AS SELECT * FROM decision")
    try store.set(Self.denied, for: .user(7))
    // Without the triggers that keep the head row correct, the row is like one from an earlier page.
    try store.database.execute("DROP TRIGGER decision_inserted; DROP TRIGGER decision_deleted")
    try store.database.execute("DELETE FROM decision; INSERT INTO decision SELECT * FROM old")
    try store.database.execute("DROP TABLE old")
    let copy = folder.file("copy.db")
    try write(try read(path), to: copy)
    let stale = try ConsentStore(path: copy)
    #expect(try !stale.isEnabled())
    #expect(stale.note?.contains("decisions: rows differ from the last commit") == true)
  }

  @Test func `an intact but invalid row switches location services off`() throws {
    try decide()
    do {
      let store = try ConsentStore(path: path)
      let row = "'user', 7, 'perhaps', NULL, 5"
      try store.database.execute("INSERT OR REPLACE INTO decision VALUES (\(row), \(store.checks.checksum(of: row, in: .decision)))")
    }
    let store = try ConsentStore(path: path)
    #expect(try !store.isEnabled())
    #expect(store.note?.contains("decisions: 1 invalid") == true)
    try store.setEnabled(true)
    #expect(try ConsentStore(path: folder.file("other.db")).isEnabled())
    #expect(try store.decisions().keys.count == 2)
  }

  @Test func `an empty or truncated file counts as damaged, and its readable denials remain`() throws {
    try decide()
    let octets = try read(path)
    for (count, kept) in [(0, 0), (100, 0), (octets.count - 4096, 2)] {
      for suffix in ["", ".1"] { unlink(path + suffix) }
      try write(Array(octets.prefix(count)), to: path)
      let store = try ConsentStore(path: path)
      #expect(try !store.isEnabled())
      #expect(store.note?.hasPrefix("\(path) could not be read and was moved to \(path).1: ") == true)
      #expect(store.note?.contains("\(kept) denials could be read and still apply; ") == true)
      #expect(try store.decisions().count == kept)
    }
  }

  @Test func `damage to the log and to registrations is reported and loses nothing else`() throws {
    try decide()
    do {
      let store = try ConsentStore(path: path)
      for name in ["desk", "door"] {
        try store.add(
          Registration(
            user: 7, app: try #require(AppID("org.example.Guide")), identifier: name, purpose: try #require(Purpose("Greets you")),
            definition: "{}", time: Instant(microseconds: 5)))
      }
      var log = ConsentLog()
      for user in UInt32(1)...3 {
        log.begin(Claimant(user: user, app: nil, purpose: try #require(Purpose("Greets you"))), at: Instant(microseconds: Int64(user)))
      }
      try store.write(&log, at: Instant(microseconds: 9))
    }
    try execute(
      "UPDATE registration SET definition = '{' WHERE identifier = 'desk'; UPDATE use SET began = -9223372036854775808 WHERE user = 2; DELETE FROM request WHERE user = 1"
    )
    do {
      let store = try ConsentStore(path: path)
      #expect(try store.isEnabled())
      #expect(try store.registrations().map(\.identifier) == ["door"])
      #expect(try store.uses().map(\.claimant.user) == [3, 1] && store.requests().count == 2)
      for finding in ["registered regions: 1 of 2 rows is damaged", "uses: 1 of 3 rows is damaged", "requests: 1 is missing"] {
        #expect(store.note?.contains(finding) == true, "\(finding)")
      }
    }
    #expect(try ConsentStore(path: path).note == nil)
  }

  /// Runs with and without the files that a crash of an earlier version left.
  @Test(.enabled(if: SmallDisk.isPossible, "requires the right to mount"), arguments: [false, true])
  func `a file that can only be read applies and stays unchanged`(isInLog: Bool) throws {
    let disk = try SmallDisk()
    let path = disk.path + "/consent.db"
    try decide()
    if isInLog {
      // Only the log contains the denial of user 9.
      let database = try Database(path: self.path)
      try database.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
      let checks = try RowChecks(database, CheckedTable.consent)
      let row = "'user', 9, 'denied', NULL, 5"
      try database.execute("INSERT INTO decision VALUES (\(row), \(checks.checksum(of: row, in: .decision)))")
      try write(try read(self.path + "-wal"), to: path + "-wal")
      try write(try read(self.path), to: path)
    } else {
      try write(try read(self.path), to: path)
    }
    try disk.setReadOnly(true)
    let store = try ConsentStore(path: path)
    #expect(try store.isEnabled())
    let decisions = try store.decisions()
    #expect(decisions[.user(7)] == Self.denied && decisions[.user(8)] == Self.granted)
    #expect((decisions[.user(9)]?.authorization == .denied) == isInLog)
    #expect(store.note?.contains("decisions still apply, and cannot be changed until the file is writable") == true)
    let error = #expect(throws: DatabaseError.self) { try store.set(nil, for: .user(7)) }
    #expect(error?.isUnreadable == false && error?.path == path)
    #expect(throws: DatabaseError.self) { try store.setEnabled(false) }
    #expect(try store.decisions() == decisions)
  }

  @Test func `an older copy of the file switches location services off until an administrator acts`() throws {
    try decide()
    let older = try read(path)
    do { try ConsentStore(path: path).set(Self.denied, for: .user(8)) }
    try write(older, to: path)
    for _ in 1...2 {
      let store = try ConsentStore(path: path)
      #expect(try !store.isEnabled())
      #expect(store.note?.contains("its last commit is lost") == true)
    }
    do { try ConsentStore(path: path).setEnabled(true) }
    let store = try ConsentStore(path: path)
    #expect(try store.isEnabled() && store.note == nil)
  }

  @Test func `a deleted file means a fresh start, and a replaced file switches location services off`() throws {
    try decide()
    unlink(path)
    do { #expect(try ConsentStore(path: path).isEnabled()) }
    let other = folder.file("other.db")
    do { try ConsentStore(path: other).setEnabled(true) }
    try write(try read(other), to: path)
    let store = try ConsentStore(path: path)
    #expect(try !store.isEnabled() && store.note?.contains("the file was replaced by another one") == true)
  }
}
