import SQLite
import TestSupport
import Testing

@Suite struct SchemaTests {
  private static let steps = ["CREATE TABLE t (i INTEGER) STRICT", "ALTER TABLE t ADD COLUMN s TEXT"]
  private static let application: Int32 = 0x6265_6163

  private func schema(_ version: Int) -> Schema { Schema(application: Self.application, steps: Array(Self.steps.prefix(version))) }

  @Test(arguments: [0, 1, 2])
  func `every earlier version becomes the current one and keeps its rows`(version: Int) throws {
    let file = try PythonDatabase()
    if version > 0 {
      let database = try file.open()
      try schema(version).apply(to: database)
      try database.execute("INSERT INTO t (i) VALUES (42)")
    }
    #expect(try schema(2).open(file.path).number("synchronous") == 2)
    let printed = try file.python(
      "print([db.execute('PRAGMA ' + p).fetchone()[0] for p in ('application_id', 'user_version', 'auto_vacuum')], db.execute('SELECT i, s FROM t').fetchall())"
    )
    #expect(printed == "[\(Self.application), 2, 2] \(version > 0 ? "[(42, None)]" : "[]")\n")
  }

  @Test func `a migration step that fails leaves the previous version`() throws {
    let file = try PythonDatabase()
    try schema(1).apply(to: try file.open())
    let broken = Schema(application: Self.application, steps: [Self.steps[0], "CREATE TABLE u (i); CREATE TABLE t (i)"])
    #expect(throws: DatabaseError.self) { try broken.apply(to: try file.open()) }
    #expect(
      try file.python("print(db.execute('PRAGMA user_version').fetchone()[0], db.execute('SELECT name FROM sqlite_schema').fetchall())")
        == "1 [('t',)]\n")
  }

  @Test(
    arguments: [
      ("db.execute('CREATE TABLE bookmarks (u)')", DatabaseError.Reason.foreign),
      ("db.execute('CREATE TABLE t (i)'); db.execute('PRAGMA application_id = 1'); db.execute('PRAGMA user_version = 1')", .foreign),
      (
        "db.execute('CREATE TABLE t (i)'); db.execute('PRAGMA application_id = \(application)'); db.execute('PRAGMA user_version = 9')",
        .fromTheFuture
      ),
      (
        "db.execute('CREATE TABLE t (i)'); db.execute('PRAGMA application_id = \(application)'); db.execute('PRAGMA user_version = -1')",
        .foreign
      ),
    ])
  func `a foreign file is not changed`(script: String, reason: DatabaseError.Reason) throws {
    let file = try PythonDatabase()
    try file.python(script)
    let dump = "print(list(db.iterdump()), db.execute('PRAGMA user_version').fetchone())"
    let before = try file.python(dump)
    let error = #expect(throws: DatabaseError.self) { try schema(2).apply(to: try file.open()) }
    #expect(error?.reason == reason)
    #expect(error?.isUnreadable == true)
    #expect(try file.python(dump) == before)
  }
}
