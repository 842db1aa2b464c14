import Foundation
import TestSupport
import Testing

/// The daemon dies at random instants while it plays a walk, again and again.
@Suite struct CrashTests {
  /// BEACONMON_CRASHES says how often.
  private static let crashes = ProcessInfo.processInfo.environment["BEACONMON_CRASHES"].flatMap(Int.init) ?? 12

  @Test func `whatever was sent is in the journal, numbered without gaps, and enters and exits alternate where none is muted`() throws {
    let stage = try Stage()
    let database = stage.folder.file("journal.db")
    let walk = try String(contentsOfFile: Stage.walkConfig, encoding: .utf8)
    let config = try stage.file("config.toml", walk + "\n[journal]\npath = \"\(database)\"\n")
    let listener = try stage.listener()
    let seed = UInt64.random(in: .min ... .max)
    print("crash seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Self.crashes {
      let daemon = try stage.daemon(config: config, source: Stage.walk, speed: "40")
      // The instant is random because the event is and the signal's way is.
      let wanted = Int.random(in: 1...12, using: &random)
      for _ in 0..<wanted { _ = try listener.next("an event") { $0.name == "RegionEvent" } }
      daemon.signal(SIGKILL)
      _ = try daemon.exitStatus()
      let check = "import sqlite3; print(sqlite3.connect('\(database)').execute('PRAGMA integrity_check').fetchone()[0])"
      #expect(try RunningProgram.result(Programs.python, ["-c", check]) == "ok", "seed \(seed)")
    }
    let daemon = try stage.daemon(config: config, source: Stage.walk)
    _ = try listener.next("the end of the walk") { $0.saysPaused }
    let kept = try CommandLine(["events", "--json", "--bus", stage.bus.address]).output.map { try JSON(parsing: $0) }
    #expect(kept.map { $0["sequence"]?.number } == (1...kept.count).map { Double($0) }, "seed \(seed)")
    let sent = listener.signals.compactMap(\.details)
    for event in sent {
      let number = Int(event["sequence"]?.number ?? 0)
      let found = try #require(number <= kept.count && number > 0 ? kept[number - 1] : nil)
      #expect(
        found["region"] == event["region"] && found["event"] == event["event"] && found["journal"] == event["journal"], "seed \(seed)")
    }
    #expect(Set(sent.map { $0["sequence"] }).count == sent.count, "seed \(seed)")
    for (region, events) in Dictionary(grouping: kept, by: { $0["region"] }) where region?.text?.contains("quiet") == false {
      let crossings = events.compactMap { $0["event"]?.text }.filter { $0 == "enter" || $0 == "exit" }
      let alternating = crossings.indices.map { $0.isMultiple(of: 2) ? "enter" : "exit" }
      #expect(crossings == alternating, "seed \(seed) \(region?.text ?? "")")
    }
    daemon.signal(SIGTERM)
  }
}
