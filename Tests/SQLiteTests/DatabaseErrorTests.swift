import Glibc
import SQLite
import TestSupport
import Testing

@Suite struct DatabaseErrorTests {
  private func reason(_ body: () throws -> Void) throws -> DatabaseError.Reason {
    do {
      try body()
    } catch let error as DatabaseError {
      #expect(!error.description.contains("\n") && error.description.hasPrefix(error.path + ": "))
      return error.reason
    }
    throw Timeout()
  }

  @Test func `a database in a missing folder cannot be opened`() throws {
    let error = #expect(throws: DatabaseError.self) { try Database(path: "/nonexistent/x.db") }
    #expect(error?.reason == .cannotOpen)
    #expect(error?.description == "/nonexistent/x.db: unable to open database file; create its folder, and let this user write there")
  }

  @Test func `a text file is not a database`() throws {
    let file = try PythonDatabase()
    let stream = try #require(fopen(file.path, "w"))
    fputs(String(repeating: "not a database\n", count: 100), stream)
    fclose(stream)
    #expect(try reason { try Schema(application: 1, steps: ["CREATE TABLE t (i)"]).apply(to: try file.open()) } == .notADatabase)
  }

  @Test func `a writer that another process blocks gets the error busy`() throws {
    let file = try PythonDatabase()
    let (one, other) = (try file.open(), try file.open())
    try one.execute("CREATE TABLE t (i); BEGIN IMMEDIATE")
    #expect(try reason { try other.transaction { () throws(DatabaseError) in } } == .busy)
  }

  @Test func `an exclusive connection blocks even readers, and uses no shared memory`() throws {
    let file = try PythonDatabase()
    let database = try Schema(application: 1, steps: ["CREATE TABLE t (i)"]).open(file.path, .exclusive)
    try database.execute("INSERT INTO t VALUES (1)")
    #expect(try reason { _ = try Schema(application: 1, steps: ["CREATE TABLE t (i)"]).open(file.path) } == .busy)
    #expect(access(file.path + "-wal", F_OK) == 0 && access(file.path + "-shm", F_OK) != 0)
  }

  @Test func `a file that cannot grow is full, and keeps its contents`() throws {
    let file = try PythonDatabase()
    let database = try file.open()
    try database.execute("CREATE TABLE t (b); INSERT INTO t VALUES ('kept'); PRAGMA max_page_count = 8")
    let insert = try database.prepare("INSERT INTO t VALUES (zeroblob(10000))")
    #expect(try reason { for _ in 0..<10 { try database.transaction { () throws(DatabaseError) in try insert.run() } } } == .full)
    #expect(try file.python("print(db.execute('SELECT count(*) FROM t WHERE b = ?', ('kept',)).fetchone()[0])") == "1\n")
  }

  @Test func `a file opened to be read cannot be written`() throws {
    let file = try PythonDatabase()
    try file.open().execute("CREATE TABLE t (i)")
    let database = try Database(path: file.path, .readOnly)
    #expect(try reason { try database.execute("INSERT INTO t VALUES (1)") } == .readOnly)
  }

  @Test func `a damaged page is found by the check`() throws {
    let file = try PythonDatabase()
    try file.python("db.execute('CREATE TABLE t (s)'); db.executemany('INSERT INTO t VALUES (?)', [('x' * 500,)] * 100)")
    try file.open().integrityCheck()
    let descriptor = Glibc.open(file.path, O_RDWR)
    let zeros = [UInt8](repeating: 0xA5, count: 4096)
    #expect(pwrite(descriptor, zeros, zeros.count, 3 * 4096) == zeros.count)
    close(descriptor)
    #expect(try reason { try file.open().integrityCheck() } == .corrupt)
  }
}
