import TestSupport
import Testing

@testable import SQLite

@Suite struct RowChecksTests {
  private static let notes = CheckedTable("note", ["place", "number", "words", "weight", "picture"])
  private static let tags = CheckedTable("tag", ["name", "note"])
  private static let schema = Schema(
    application: 0x6265_6163,
    steps: [
      """
      CREATE TABLE note (
        place TEXT NOT NULL, number INTEGER NOT NULL, words TEXT, weight REAL, picture BLOB, PRIMARY KEY (place, number)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE tag (name INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT;
      INSERT INTO note VALUES ('old', 1, 'from version 1', 0.5, x'00ff');
      """,
      notes.adoption + tags.adoption,
    ])

  private let file: PythonDatabase
  private let database: Database
  private let checks: RowChecks

  init() throws {
    file = try PythonDatabase()
    database = try Self.schema.open(file.path)
    checks = try RowChecks(database, [Self.notes, Self.tags])
  }

  private func write(_ place: String, _ number: Int64, _ words: String?, verb: String = "INSERT") throws(DatabaseError) {
    try database.prepare(
      "\(verb) INTO note VALUES (?1, ?2, ?3, 1.5, NULL, \(checks.checksum(of: "?1, ?2, ?3, 1.5, NULL", in: Self.notes)))"
    )
    .run(.text(place), .integer(number), .text(words))
  }

  private func findings(_ table: CheckedTable = Self.notes) throws -> TableFindings {
    let database = try file.open()
    return try RowChecks(database, [Self.notes, Self.tags]).findings(in: table)
  }

  @Test func `the rows of an earlier version are adopted as they are`() throws {
    #expect(try findings() == TableFindings(intact: 1, damaged: 0, expected: 1, isComplete: true))
    #expect(try findings(Self.tags).isIntact)
    #expect(try findings().description == "1 row is intact")
  }

  @Test func `every statement that writes, deletes or replaces rows keeps the head row correct`() throws {
    for number in 1...20 { try write("hall", Int64(number), "n\(number)") }
    try write("hall", 3, "again", verb: "INSERT OR REPLACE")
    try database.prepare(
      """
      INSERT INTO note VALUES ('hall', 4, 'upsert', 1.5, NULL, \(checks.checksum(of: "'hall', 4, 'upsert', 1.5, NULL", in: Self.notes)))
        ON CONFLICT DO UPDATE SET words = excluded.words, checksum = excluded.checksum
      """
    ).run()
    let gone = try database.prepare("DELETE FROM note WHERE (place, number) <= ('hall', 2) RETURNING number").all { $0.integer(0) ?? 0 }
    #expect(gone == [1, 2])
    try database.execute("DELETE FROM note WHERE place = 'hall' AND number > 15")
    try database.execute("UPDATE note SET number = 99, checksum = 5 WHERE number = 5")
    #expect(try findings() == TableFindings(intact: 13, damaged: 1, expected: 14, isComplete: true))
    #expect(try checks.removeDamagedRows(of: Self.notes) == 1)
    #expect(try findings() == TableFindings(intact: 13, damaged: 0, expected: 13, isComplete: true))
    try database.execute("DELETE FROM note")
    #expect(try findings() == TableFindings(intact: 0, damaged: 0, expected: 0, isComplete: true))
  }

  @Test func `a failed transaction leaves the head row unchanged`() throws {
    #expect(throws: DatabaseError.self) {
      try database.transaction { () throws(DatabaseError) in
        try write("hall", 1, "once")
        try write("hall", 1, "twice")
      }
    }
    #expect(try findings() == TableFindings(intact: 1, damaged: 0, expected: 1, isComplete: true))
  }

  @Test(
    arguments: [
      ("UPDATE note SET words = 'n2' WHERE number = 1", "1 of 3 rows is damaged"),
      ("UPDATE note SET number = 7 WHERE number = 1", "1 of 3 rows is damaged"),
      ("UPDATE note SET words = NULL WHERE number = 1", "1 of 3 rows is damaged"),
      ("UPDATE note SET weight = 1.4999999999999998", "3 of 3 rows are damaged"),
      ("UPDATE note SET picture = x''", "3 of 3 rows are damaged"),
      ("UPDATE note SET checksum = checksum + 1 WHERE number = 2", "1 of 3 rows is damaged"),
      ("UPDATE note SET words = 'n2', checksum = (SELECT checksum FROM note WHERE number = 2) WHERE number = 1", "1 of 3 rows is damaged"),
      ("DELETE FROM note WHERE number = 2", "1 is missing"),
      ("DELETE FROM note", "3 are missing"),
      ("DELETE FROM head WHERE name = 'note'", "the expected number of rows is missing"),
      ("UPDATE head SET count = 9223372036854775807", "9223372036854775804 are missing"),
      ("UPDATE head SET count = -9223372036854775808", "9223372036854775807 too many"),
      ("UPDATE head SET digest = digest + 1", "rows differ from the last commit"),
      ("UPDATE head SET id = id + 1 WHERE name = 'note'", "rows differ from the last commit"),
    ])
  func `a change by another program is detected`(sql: String, finding: String) throws {
    try database.execute("DELETE FROM note")
    for number in 1...3 { try write("hall", Int64(number), "n\(number)") }
    #expect(try findings().description == "3 rows are intact")
    try file.python("db.execute(\"\(sql)\")")
    #expect(try findings().description == finding)
    #expect(try !findings().isIntact)
  }

  @Test func `a row that was valid before is detected`() throws {
    try write("hall", 1, "denied")
    try file.python("db.execute('CREATE TABLE old AS SELECT * FROM note')")
    try write("hall", 1, "allowed", verb: "INSERT OR REPLACE")
    #expect(try findings().isIntact)
    try file.python("db.execute('DELETE FROM note'); db.execute('INSERT INTO note SELECT * FROM old')")
    #expect(try findings() == TableFindings(intact: 2, damaged: 0, expected: 2, isComplete: false))
  }

  @Test func `a row of another table or another database is detected`() throws {
    let other = try PythonDatabase()
    let foreign = try Self.schema.open(other.path)
    let otherChecks = try RowChecks(foreign, [Self.notes, Self.tags])
    #expect(otherChecks.id != checks.id)
    let row = "'hall', 1, 'one', 1.5, NULL"
    let sum = try foreign.prepare("SELECT \(otherChecks.checksum(of: row, in: Self.notes))").first { $0.integer(0) ?? 0 } ?? 0
    try database.execute("INSERT INTO note VALUES (\(row), \(sum))")
    #expect(try findings().damaged == 1)
    let tag = try database.prepare("SELECT \(checks.checksum(of: "1, 'x'", in: CheckedTable("gat", ["a", "b"])))").first {
      $0.integer(0) ?? 0
    }
    try database.execute("INSERT INTO tag VALUES (1, 'x', \(tag ?? 0))")
    #expect(try findings(Self.tags).damaged == 1)
  }

  @Test func `rows restore the database's id if the head rows lack it`() throws {
    for number in 1...3 { try write("hall", Int64(number), "n\(number)") }
    try file.python(
      "db.execute('UPDATE head SET id = 7 WHERE name = ?', ('note',)); db.execute('DELETE FROM head WHERE name = ?', ('tag',))")
    #expect(try findings().damaged == 0)
    try file.python("db.execute('DELETE FROM head')")
    #expect(try findings().damaged == 0)
    try file.python("db.execute('DELETE FROM note')")
    #expect(throws: DatabaseError.self) { try findings() }
  }

  @Test func `a lost head row is restored from the rows`() throws {
    try write("hall", 1, "one")
    try file.python("db.execute('DELETE FROM head')")
    #expect(try !findings().isIntact)
    try checks.rebuildHead(of: Self.notes)
    #expect(try findings() == TableFindings(intact: 2, damaged: 0, expected: 2, isComplete: true))
  }

  @Test func `each single bit of a row changes the checksum`() throws {
    let text = "{\"event\":\"enter\",\"sequence\":12}é"
    func checksum(_ octets: [UInt8], _ number: Int64) throws -> Int64? {
      try database.prepare("SELECT row_checksum(1, 'note', ?, ?)").first(.blob(octets), .integer(number)) { $0.integer(0) } ?? nil
    }
    var seen: Set<Int64?> = [try checksum(Array(text.utf8), 0)]
    for bit in 0..<text.utf8.count * 8 {
      var octets = Array(text.utf8)
      octets[bit / 8] ^= 1 << (bit % 8)
      seen.insert(try checksum(octets, 0))
    }
    for bit in 0..<64 { seen.insert(try checksum(Array(text.utf8), 1 << bit)) }
    #expect(seen.count == 1 + text.utf8.count * 8 + 64 && !seen.contains(nil))
  }

  @Test func `values of another type, or split differently, have another checksum`() throws {
    let rows = ["1", "1.0", "'1'", "x'31'", "NULL", "''", "x''", "0", "0.0", "'ab', 'c'", "'a', 'bc'", "'abc'", "'abc', ''", "'abc', NULL"]
    let sums = try rows.map { row in try database.prepare("SELECT row_checksum(1, 'note', \(row))").first { $0.integer(0) ?? 0 } ?? 0 }
    #expect(Set(sums).count == rows.count)
    #expect(try database.prepare("SELECT row_checksum(1, 'note')").first { $0.integer(0) } != nil)
    #expect(throws: DatabaseError.self) { try database.prepare("SELECT row_checksum(1)").run() }
  }
}
