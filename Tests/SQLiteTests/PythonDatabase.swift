import EventLoop
import SQLite
import TestSupport

/// A database file of the test, and Python's module sqlite3, which reads and writes it without our code.
final class PythonDatabase {
  let folder: TemporaryDirectory
  var path: String { folder.file("test.db") }

  init() throws {
    folder = try TemporaryDirectory()
  }

  func open() throws(DatabaseError) -> Database { try Database(path: path) }

  /// Returns the output of a Python script that has the connection as `db`.
  @discardableResult func python(_ script: String) throws -> String {
    let loop = try Loop()
    let result = try loop.result(of: [
      "/usr/bin/python3", "-c", "import sqlite3; db = sqlite3.connect('\(path)')\n\(script)\ndb.commit(); db.close()",
    ])
    guard result.outcome == .exited(0) else { throw Trouble(text: result.output.text) }
    return result.output.text
  }

  struct Trouble: Error {
    let text: String
  }
}
