import SQLite
import TestSupport
import Testing

@Suite struct DatabaseTests {
  @Test func `every storage class is read as another program reads it`() throws {
    let file = try PythonDatabase()
    let database = try file.open()
    try database.execute("CREATE TABLE t (i, r, s, b, n)")
    let insert = try database.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?)")
    try insert.run(.integer(.min), 0.1, "é\u{0}x", .blob([0, 255]), .null)
    try insert.run(7, 2.0, "", .blob([]), .integer(nil))
    let printed = try file.python("for row in db.execute('SELECT i, r, s, b, n FROM t'): print(ascii(row))")
    #expect(printed == "(-9223372036854775808, 0.1, '\\xe9\\x00x', b'\\x00\\xff', None)\n(7, 2.0, '', b'', None)\n")
  }

  @Test func `values of another program are read in their types, and NULL or another type as nil`() throws {
    let file = try PythonDatabase()
    try file.python(
      "db.execute('CREATE TABLE t (i, r, s, b)'); db.execute('INSERT INTO t VALUES (?, ?, ?, ?)', (2**63-1, 1e300, 'a\\0\\u20ac', bytes([0, 1])))"
    )
    let select = try file.open().prepare("SELECT i, r, s, b, NULL FROM t")
    let values = try select.first { row -> [DatabaseValue] in
      [.integer(row.integer(0)), .real(row.real(1)), .text(row.text(2)), .blob(row.blob(3) ?? [])]
    }
    #expect(values == [.integer(.max), 1e300, "a\u{0}€", .blob([0, 1])])
    let absent = try select.first { row in row.integer(4) == nil && row.text(4) == nil && row.integer(2) == nil && row.text(0) == nil }
    #expect(absent == true)
  }

  @Test func `a statement runs again with other values from its first row`() throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE t (i); INSERT INTO t VALUES (1), (2), (3)")
    let select = try database.prepare("SELECT i FROM t WHERE i > ? ORDER BY i")
    #expect(try select.first(0) { $0.integer(0) } == 1)
    #expect(try select.all(1) { $0.integer(0) ?? 0 } == [2, 3])
    #expect(try select.first(3) { $0.integer(0) } == nil)
  }

  @Test func `a transaction that throws changes nothing`() throws {
    let database = try Database.inMemory()
    try database.execute("CREATE TABLE t (i UNIQUE)")
    let insert = try database.prepare("INSERT INTO t VALUES (?)")
    #expect(throws: DatabaseError.self) {
      try database.transaction { () throws(DatabaseError) in
        try insert.run(1)
        try insert.run(1)
      }
    }
    #expect(try database.prepare("SELECT count(*) FROM t").first { $0.integer(0) } == 0)
    try database.transaction { () throws(DatabaseError) in try insert.run(1) }
    #expect(database.changes == 1 && database.lastInsertedRow == 1)
  }

  @Test func `a commit is visible to other programs while the connection is open`() throws {
    let file = try PythonDatabase()
    let database = try file.open()
    try database.enableWriteAheadLog()
    #expect(try database.number("synchronous") == 2)
    try database.execute("CREATE TABLE t (i); INSERT INTO t VALUES (5)")
    #expect(
      try file.python("print(db.execute('SELECT i FROM t').fetchall(), db.execute('PRAGMA journal_mode').fetchall())")
        == "[(5,)] [('wal',)]\n")
  }

  @Test func `a schema cannot call functions with side effects`() throws {
    let database = try Database.inMemory()
    #expect(throws: DatabaseError.self) {
      try database.execute(
        "CREATE TABLE t (s); CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT load_extension('x'); END; INSERT INTO t VALUES (1)")
    }
    #expect(throws: DatabaseError.self) { try database.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema") }
  }
}
