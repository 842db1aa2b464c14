import Foundation
import TestSupport

/// A daemon with a venue, a notifier that wakes apps, and the user's desktop, which answers notifications with `key`.
final class OfferScene {
  let stage: Stage
  private(set) var feed: CaptureFeed
  let bus: PrivateBus
  let client: BusClient
  private(set) var daemon: RunningProgram
  private(set) var desktop: RunningProgram
  private(set) var notifier: RunningProgram
  private let environment: [String: String]
  private var second = 0.0

  init(_ venue: String, key: String? = "open", files: [String: String] = [:], grant: [String]? = nil, location: String = "") throws {
    stage = try Stage()
    _ = try stage.file("gallery.toml", venue)
    try FileManager.default.createDirectory(atPath: stage.folder.file("bin"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: stage.folder.file("data/applications"), withIntermediateDirectories: true)
    for (name, content) in files {
      try stage.folder.program(name, content.replacing("FOLDER", with: stage.folder.path))
    }
    environment = [
      "PATH": "\(stage.folder.file("bin")):/usr/bin:/bin", "XDG_DATA_HOME": stage.folder.file("data"), "XDG_DATA_DIRS": "/nowhere",
      "LANG": "de_DE.UTF-8",
    ]
    bus = try PrivateBus()
    feed = try CaptureFeed(stage)
    let config = try stage.file(
      "config.toml", "venues = [\"gallery.toml\"]\n[journal]\npath = \"\(stage.folder.file("journal.db"))\"\n\(location)")
    client = try stage.listener()
    daemon = try stage.daemon(config: config, source: feed.path)
    try client.waitForDaemon()
    if let grant { try Self.grant(grant, stage) }
    desktop = try RunningProgram(Programs.python, [Programs.peer("desktop.py"), bus.address] + (key.map { [$0] } ?? []))
    _ = try desktop.output.next("the desktop")
    notifier = try Self.notifier(stage, bus, environment)
  }

  private static func notifier(_ stage: Stage, _ bus: PrivateBus, _ environment: [String: String]) throws -> RunningProgram {
    let program = try RunningProgram(
      Programs.notifier,
      [
        "--bus", stage.bus.address, "--config", stage.folder.file("none.toml"), "--state", stage.folder.file("state"), "--desktop-bus",
        bus.address, "--apps",
      ], environment: environment)
    _ = try program.log.next("the start of the notifier") { $0.contains("waiting for events of registered regions") }
    return program
  }

  private static func grant(_ words: [String], _ stage: Stage) throws {
    _ = try RunningProgram.result(Programs.commandLine, ["privacy", "grant", "root", "--bus", stage.bus.address] + words)
  }

  func grant(_ words: String...) throws { try Self.grant(words, stage) }

  /// Starts another daemon, which has lost all registered regions.
  func replaceDaemon() throws {
    daemon.signal(SIGKILL)
    _ = try daemon.exitStatus()
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: stage.folder.file("journal.db\(suffix)")) {
      try FileManager.default.removeItem(atPath: stage.folder.file("journal.db\(suffix)"))
    }
    feed = try CaptureFeed(stage, named: "second feed")
    daemon = try stage.daemon(config: stage.folder.file("config.toml"), source: feed.path)
    try client.waitForDaemon()
  }

  /// Starts another notification service, which answers each notification with `key`.
  func replaceDesktop(key: String) throws {
    desktop.signal(SIGKILL)
    _ = try desktop.exitStatus()
    desktop = try RunningProgram(Programs.python, [Programs.peer("desktop.py"), bus.address, key])
    _ = try desktop.output.next("the desktop")
  }

  func restartNotifier() throws {
    notifier.signal(SIGKILL)
    _ = try notifier.exitStatus()
    notifier = try Self.notifier(stage, bus, environment)
  }

  func waitUntilRegistered(_ count: Int = 1) throws {
    try wait(for: "\(count) registered regions") {
      try client.property("Registrations", "Manager")?["regions"] == .number(Double(count))
    }
  }

  /// Hears the beacons of the venue for 12 s.
  func enter() throws {
    for _ in 0..<12 {
      second += 1
      try feed.hear(minor: 1 + UInt16(second) % 2, at: second)
    }
  }

  /// Hears beacons that are not in the venue for this time.
  func leave(for seconds: Int) throws {
    for _ in 0..<(seconds / 10) {
      second += 10
      try feed.hear(minor: 99, at: second)
    }
  }

  func command(_ words: String...) throws -> String {
    try RunningProgram.result(Programs.commandLine, ["venue"] + words + ["--state", stage.folder.file("state")])
  }

  func shown() throws -> JSON { try JSON(parsing: try desktop.output.next("the next line of the desktop")) }
}
