import Deliveries
import Delivery
import EventActions
import EventLoop
import Events
import Logging
import Records
import SQLite
import TestSupport
import Testing

/// An outbox in a folder of the test's own, events, and a target with scripted answers.
final class Scene {
  let loop: Loop
  let folder: TemporaryDirectory
  let log = LogLines()

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

/// Collects log lines.
final class LogLines {
  private let handler = Handler()

  var logger: Logger {
    let handler = handler
    return Logger(label: "test") { _ in handler }
  }

  var lines: [String] { handler.lines.value ?? [] }

  private struct Handler: LogHandler {
    nonisolated(unsafe) let lines = Holder<[String]>([])
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    func log(event: LogEvent) {
      lines.value?.append("\(event.level) \(event.message)")
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
  }
}

/// Answers each delivery with the result of `answer`; nil gives no answer.
final class ScriptedTarget: DeliveryTarget {
  private let loop: Loop
  var answer: (Delivery) -> DeliveryOutcome?
  private(set) var attempts: [Delivery] = []

  init(_ loop: Loop, _ answer: @escaping (Delivery) -> DeliveryOutcome? = { _ in .delivered }) {
    self.loop = loop
    self.answer = answer
  }

  func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    attempts.append(delivery)
    guard let outcome = answer(delivery) else { return }
    loop.enqueue { completion(outcome) }
  }
}
