import Foundation
import TestSupport
import Testing

/// A journal with a damaged row, as its followers read it.
@Suite struct DamagedJournalTests {
  private static let settings = """
    [journal]
    path = "FOLDER/journal.db"

    [[notifier.action]]
    events = ["enter", "exit", "dwell", "cross", "state"]
    command = ["/bin/sh", "-c", "echo $BEACONMON_SEQUENCE >> FOLDER/delivered"]
    """

  /// Returns the output of a Python script that reads the scene's journal.
  private func python(_ scene: NotifierScene, _ script: String) throws -> String {
    try RunningProgram.result(
      Programs.python,
      ["-c", "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); \(script); db.commit()", scene.stage.folder.file("journal.db")])
  }

  @Test func `one damaged row costs one event, for a notifier that was offline and for every command`() throws {
    let scene = try NotifierScene(Self.settings, rules: "exit-delay = \"1s\"")
    try scene.killNotifier()
    for step in 0..<25 { try scene.feed.hear(minor: UInt16(step % 9 + 1), at: Double(step) * 100) }
    try scene.feed.waitUntilRead(by: scene.stage.listener())
    scene.daemon.signal(SIGTERM)
    #expect(try scene.daemon.exitStatus() == 0)
    #expect(!FileManager.default.fileExists(atPath: scene.stage.folder.file("journal.db-wal")))
    let count = try #require(Int(try python(scene, "print(db.execute('SELECT max(sequence) FROM event').fetchone()[0])")))
    try #require(count >= 40)
    _ = try python(scene, "db.execute(\"UPDATE event SET details='{' WHERE sequence=3\")")
    try scene.startDaemon(feed: try CaptureFeed(scene.stage, named: "second feed"))
    let journal = scene.stage.folder.file("journal.db")
    _ = try scene.daemon.log.next("the finding") { $0.contains("\(journal): damaged or lost in journal ") && $0.hasSuffix(": event 3") }
    try scene.startNotifier()
    _ = try scene.notifier.log.next("the notice") { $0.contains("event 3 of journal ") && $0.hasSuffix("and will not be delivered") }
    let kept = (1...count).filter { $0 != 3 }.map(String.init)
    #expect(try scene.lines(of: "delivered", count: kept.count).sorted { Int($0) ?? 0 < Int($1) ?? 0 } == kept)

    let bus = ["--bus", scene.stage.bus.address]
    let events = try CommandLine(["events", "--json"] + bus)
    #expect(events.status == 65)
    #expect(events.errors == ["beaconmon: 1 event is damaged or lost and cannot be shown; see `beaconmon status`"])
    let records = try events.output.map { try JSON(parsing: $0) }
    #expect(records.map { $0["sequence"]?.number } == (1...count).map { Double($0) })
    #expect(records[2]["event"] == "damaged" && records[2]["reason"] == ["cause": "unreadable"] && records[2]["region"] == nil)
    #expect(try CommandLine(["events"] + bus).output[2].hasSuffix("event 3 cannot be read"))
    #expect(try CommandLine(["events", "--csv"] + bus).output[3].contains(",damaged,"))
    let explanation = try CommandLine(["explain", "3"] + bus)
    #expect(explanation.status == 65)
    #expect(explanation.output.first?.hasPrefix("Event 3 cannot be recovered: its row in the journal cannot be read.") == true)
    #expect(try CommandLine(["status"] + bus).output.contains { $0.hasPrefix("journal ") && $0.hasSuffix(", durable, 1 damaged or lost") })
  }

  @Test func `the events on a full disk stay available after each retry`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let feed = try CaptureFeed(stage)
    let config = try stage.file(
      "config.toml",
      "[journal]\npath = \"\(stage.folder.file("journal.db"))\"\n[[region]]\nidentifier = \"hall\"\nuuid = \"\(CaptureOctets.uuid)\"\n")
    // No file may grow beyond 64 KiB, which SQLite calls an I/O error, as it does with a quota.
    let daemon = try RunningProgram(
      "/bin/bash",
      [
        "-c", "trap '' XFSZ; ulimit -S -f 64; exec \"$@\"", "bash", Programs.daemon, "--bus", stage.bus.address, "--config", config,
        "--source", "capture:\(feed.path)", "--speed", "max",
      ])
    var (second, event) = (0.0, JSON.null)
    repeat {
      try feed.hear(at: second)
      event = try #require(try listener.next("an event") { $0.name == "RegionEvent" && $0.arguments[1] == "enter" }.details)
      second += 100
    } while event["durable"] == true && second < 40_000
    let first = try #require(listener.signals.first { $0.name == "RegionEvent" }?.details?["journal"])
    let durable = listener.signals.compactMap(\.details).filter { $0["durable"] == true }.count
    for _ in 1...2 {
      daemon.signal(SIGHUP)
      _ = try daemon.log.next("the try") { $0.contains("region") }
      #expect(try listener.property("Durable", "Manager") == false)
      #expect(try listener.property("EarlierJournals", "Manager") == .list([first]))
      let answer = try listener.call("\(BusClient.busName).Manager", "EventsSince", signature: "stu", first, 0, 250)
      guard case .values(let values) = answer else { throw TimeoutError("\(answer)") }
      #expect(values.first?.list?.count == min(250, durable))
    }
    daemon.signal(SIGTERM)
    _ = try daemon.exitStatus()
  }
}
