import Foundation
import TestSupport
import Testing

/// The promises of the daemon's journal, checked by a client in another language.
@Suite struct DurabilityTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
  }

  private var database: String { stage.folder.file("journal.db") }

  private func config(_ more: String = "") throws -> String {
    try stage.file(
      "config.toml",
      """
      [journal]
      path = "\(database)"

      [[region]]
      identifier = "hall"
      uuid = "\(CaptureOctets.uuid)"
      \(more)
      """)
  }

  /// Starts a daemon with a new feed and a sighting at `second`.
  private func daemon(_ listener: BusClient, hearingAt second: Double) throws -> (daemon: RunningProgram, feed: CaptureFeed) {
    let feed = try CaptureFeed(stage, named: "feed \(second)")
    let daemon = try stage.daemon(config: try config(), source: feed.path)
    try feed.hear(at: second)
    _ = try listener.next("an event") { $0.name == "RegionEvent" }
    return (daemon, feed)
  }

  private func events(_ listener: BusClient, of journal: JSON, after sequence: JSON = 0, limit: JSON = 100) throws -> BusClient.Reply {
    try listener.call("\(BusClient.busName).Manager", "EventsSince", signature: "stu", journal, sequence, limit)
  }

  private func kinds(_ reply: BusClient.Reply) throws -> [String] {
    guard case .values(let values) = reply else { throw TimeoutError("\(reply)") }
    return (values.first?.list ?? []).map { "\(Int($0["sequence"]?.number ?? 0)) \($0["event"]?.text ?? "") \($0["state"]?.text ?? "")" }
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func `numbers continue after a restart, and a visitor who stayed does not enter again`(signal: Int32) throws {
    let listener = try stage.listener()
    let (first, firstFeed) = try daemon(listener, hearingAt: 0)
    let journal = try #require(try listener.property("Journal", "Manager"))
    #expect(try listener.property("Durable", "Manager") == true)
    first.signal(signal)
    _ = try first.exitStatus()
    firstFeed.end()
    let (second, feed) = try daemon(listener, hearingAt: 20)
    #expect(try listener.property("Journal", "Manager") == journal)
    try feed.hear(at: 200)
    _ = try listener.next("the second enter") { $0.details?["sequence"] == 4 }
    #expect(try kinds(events(listener, of: journal)) == ["1 enter inside", "2 state inside", "3 exit outside", "4 enter inside"])
    #expect(try kinds(events(listener, of: journal, after: 2, limit: 1)) == ["3 exit outside"])
    #expect(try kinds(events(listener, of: journal, after: 4)) == [])
    #expect(try listener.property("LastSequence", "Manager") == 4)
    second.signal(SIGTERM)
  }

  @Test func `a journal that opens later restores the visitors who stayed`() throws {
    let listener = try stage.listener()
    let rules = "major = 1\nminor = 1"
    let firstFeed = try CaptureFeed(stage, named: "first feed")
    let first = try stage.daemon(config: try config(rules), source: firstFeed.path)
    try firstFeed.hear(at: 0)
    _ = try listener.next("the enter") { $0.name == "RegionEvent" && $0.arguments[1] == "enter" }
    first.signal(SIGTERM)
    _ = try first.exitStatus()
    let away = stage.folder.file("away.db")
    try FileManager.default.moveItem(atPath: database, toPath: away)
    try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: false)
    let feed = try CaptureFeed(stage, named: "second feed")
    let second = try stage.daemon(config: try config(rules), source: feed.path)
    // The clock advances while the hall's beacon is silent.
    try feed.hear(minor: 9, at: 20)
    try feed.waitUntilRead(by: listener)
    #expect(try listener.property("Durable", "Manager") == false)
    try FileManager.default.removeItem(atPath: database)
    try FileManager.default.moveItem(atPath: away, toPath: database)
    second.signal(SIGHUP)
    try wait(for: "the journal in the file") { try listener.property("Durable", "Manager") == true }
    try feed.hear(at: 25)
    let event = try listener.next("the next event") { $0.name == "RegionEvent" }
    #expect(event.arguments[1] == "state" && event.details?["state"] == "inside")
    second.signal(SIGTERM)
  }

  @Test func `EventsSince returns the same details as the signals`() throws {
    let listener = try stage.listener()
    let (daemon, _) = try daemon(listener, hearingAt: 0)
    let journal = try #require(try listener.property("Journal", "Manager"))
    guard case .values(let values) = try events(listener, of: journal) else { throw TimeoutError("no answer") }
    #expect(values.first?.list == listener.signals.compactMap(\.details))
    daemon.signal(SIGTERM)
  }

  @Test func `a request for another journal has no events, and the error names the present one`() throws {
    let listener = try stage.listener()
    let (daemon, _) = try daemon(listener, hearingAt: 0)
    let journal = try #require(try listener.property("Journal", "Manager")?.text)
    guard case .error(let name, let message) = try events(listener, of: "another") else { throw TimeoutError("no error") }
    #expect(name == "\(BusClient.busName).Error.JournalChanged" && message.contains(journal))
    daemon.signal(SIGTERM)
  }

  @Test func `a capture without a path has a new journal in memory at each start`() throws {
    let listener = try stage.listener()
    let config = try stage.file("plain.toml", "[[region]]\nidentifier = \"hall\"\nuuid = \"\(CaptureOctets.uuid)\"\n")
    let journals = try (0..<2).map { number in
      let feed = try CaptureFeed(stage, named: "feed \(number)")
      let daemon = try stage.daemon(config: config, source: feed.path)
      try feed.hear(at: 0)
      let event = try listener.next("an event") { $0.name == "RegionEvent" }
      #expect(event.arguments[0] == 1 && event.details?["durable"] == false)
      #expect(try listener.property("Durable", "Manager") == false)
      #expect(try listener.property("JournalNote", "Manager") == nil)
      daemon.signal(SIGTERM)
      _ = try daemon.exitStatus()
      return event.details?["journal"]
    }
    #expect(journals[0] != journals[1])
  }

  @Test func `a file of another program is moved aside, and status reports it`() throws {
    try Data("no database, but somebody's notes\n".utf8).write(to: URL(fileURLWithPath: database))
    let listener = try stage.listener()
    let (daemon, _) = try daemon(listener, hearingAt: 0)
    #expect(try listener.property("Durable", "Manager") == true)
    let note = "\(database) could not be read and was moved to \(database).1: file is not a database"
    #expect(try listener.property("JournalNote", "Manager")?.text == note)
    #expect(try String(contentsOfFile: database + ".1", encoding: .utf8) == "no database, but somebody's notes\n")
    let status = try CommandLine(["status", "--bus", stage.bus.address]).output
    #expect(status.contains { $0.hasPrefix("journal    ") && $0.contains(", last event ") && $0.hasSuffix(", durable") })
    #expect(status.contains("           \(note)"))
    daemon.signal(SIGTERM)
  }

  @Test func `monitoring on a full disk continues in another journal, whose events are stored once there is room`() throws {
    let listener = try stage.listener()
    let feed = try CaptureFeed(stage)
    // No file may grow beyond 64 KiB. A larger write is an error and does not end the process.
    let daemon = try RunningProgram(
      "/bin/bash",
      [
        "-c", "trap '' XFSZ; ulimit -S -f 64; exec \"$@\"", "bash", Programs.daemon, "--bus", stage.bus.address, "--config", try config(),
        "--source", "capture:\(feed.path)", "--speed", "max",
      ])
    try feed.hear(at: 0)
    let first = try #require(try listener.next("the first event") { $0.name == "RegionEvent" }.details)
    #expect(first["durable"] == true)
    var second = 0.0
    var event = first
    while event["durable"] == true && second < 40_000 {
      second += 100
      try feed.hear(at: second)
      event = try #require(try listener.next("an event") { $0.name == "RegionEvent" && $0.arguments[1] == "enter" }.details)
    }
    #expect(event["durable"] == false && event["journal"] != first["journal"])
    #expect(try listener.property("Durable", "Manager") == false)
    #expect(
      try listener.property("JournalNote", "Manager")?.text?.hasSuffix("; events are kept in memory only") == true)
    #expect(try listener.property("EarlierJournals", "Manager") == .list([first["journal"] ?? .null]))
    // The last durable event precedes the first that is not durable.
    let durable = listener.signals.compactMap(\.details).filter { $0["durable"] == true }.count
    #expect(try kinds(events(listener, of: first["journal"] ?? .null, after: .number(Double(durable) - 1))).count == 1)
    _ = try RunningProgram.result("/usr/bin/prlimit", ["--pid", "\(daemon.pid)", "--fsize=unlimited"])
    daemon.signal(SIGHUP)
    try wait(for: "the journal in the file") { try listener.property("Durable", "Manager") == true }
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
    let kept = try RunningProgram.result(
      Programs.python,
      [
        "-c",
        "import sqlite3; print(sqlite3.connect('\(database)').execute('SELECT count(*), min(sequence) FROM event GROUP BY journal').fetchall())",
      ])
    #expect(kept == "[(\(durable), 1), (\(listener.signals.compactMap(\.details).count - durable), \(durable + 1))]")
  }
}
