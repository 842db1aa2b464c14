import EventLoop
import EventOutbox
import Events
import Records
import SQLite
import TestSupport
import Testing

/// An outbox in a temporary folder, and its events.
final class Scene {
  let loop: Loop
  let folder: TemporaryDirectory

  init() throws {
    loop = try Loop()
    folder = try TemporaryDirectory()
  }

  var path: String { folder.file("outbox.db") }

  func outbox() throws -> Outbox { try Outbox(loop, path: path, device: "d") }

  static func event(_ sequence: UInt64, journal: String = "j", region: String = "hall") -> Event {
    Event.of(["sequence": .count(sequence), "event": .text("enter"), "region": .text(region), "journal": .text(journal)])
  }

  /// Changes rows with valid checksums.
  func write(_ sql: String, to table: String, _ columns: String) throws {
    let database = try Database(path: path)
    try database.execute(sql)
    try database.execute(
      """
      UPDATE \(table) SET checksum = row_checksum((SELECT id FROM head WHERE name = '\(table)'), '\(table)', \(columns));
      UPDATE head SET (count, digest) = (SELECT count(*), rows_digest(checksum) FROM \(table)) WHERE name = '\(table)';
      """)
  }

  /// Returns the value of an expression that Python's own SQLite evaluates on the file.
  func python(_ expression: String) throws -> String {
    let script = "import sqlite3; db = sqlite3.connect('\(path)'); print(\(expression))"
    return String(try loop.result(of: ["python3", "-c", script]).output.text.dropLast())
  }
}
