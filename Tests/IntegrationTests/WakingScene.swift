import Foundation
import TestSupport

/// A daemon, a notifier that wakes apps, the user's session bus, and an app that this bus can start.
final class WakingScene {
  static let app = "org.example.My-Guide"
  static let desk: JSON = ["identifier": "desk", "uuid": .text(CaptureOctets.uuid), "major": 1, "minor": 2]

  let stage: Stage
  private(set) var feed: CaptureFeed
  private(set) var daemon: RunningProgram
  private(set) var notifier: RunningProgram
  let desktop: PrivateBus
  let client: BusClient
  let config: String

  /// - Parameters:
  ///   - isInstalled: With false, the session bus does not know the app yet.
  ///   - tables: Further tables of the config.
  init(isInstalled: Bool = true, deaf: Bool = false, tables: String = "") throws {
    stage = try Stage()
    desktop = try PrivateBus(services: stage.folder.path)
    feed = try CaptureFeed(stage)
    config = try stage.file("config.toml", "[journal]\npath = \"\(stage.folder.file("journal.db"))\"\n" + tables + Stage.hall)
    client = try stage.listener()
    daemon = try stage.daemon(config: config, source: feed.path)
    try client.waitForDaemon()
    notifier = try Self.notifier(stage, desktop)
    if isInstalled { try install(deaf: deaf) }
  }

  /// Installs the file that the app's package would put into /usr/share/dbus-1/services.
  func install(deaf: Bool = false) throws {
    try install(["/usr/bin/python3", Programs.peer("waking_app.py"), Self.app, record] + (deaf ? ["deaf"] : []))
  }

  /// Installs an app that is written with GApplication.
  func installGApplication() throws { try install(["/usr/bin/python3", Programs.peer("waking_gio_app.py"), Self.app, record]) }

  /// A process that the session bus has started.
  struct App {
    let pid: Int

    /// Whether the app runs. A zombie has no command line any more.
    var isRunning: Bool { (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(pid)/cmdline")))?.isEmpty == false }
  }

  func startApp() throws -> App {
    func ask(_ words: String...) throws -> String {
      let bus = ["call", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus"]
      return try RunningProgram.result("/usr/bin/busctl", ["--address=\(desktop.address)"] + bus + words)
    }
    _ = try ask("StartServiceByName", "su", Self.app, "0")
    // The answer has the form `u 4711`.
    guard let pid = Int(try ask("GetConnectionUnixProcessID", "s", Self.app).dropFirst(2).filter(\.isNumber)) else {
      throw TimeoutError("the app does not run")
    }
    return App(pid: pid)
  }

  private func install(_ words: [String]) throws {
    _ = try stage.file("\(Self.app).service", "[D-BUS Service]\nName=\(Self.app)\nExec=\(words.joined(separator: " "))\n")
    _ = try RunningProgram.result(
      "/usr/bin/busctl",
      ["--address=\(desktop.address)", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReloadConfig"])
  }

  private var record: String { stage.folder.file("woken") }

  /// Registers a region as the app does once.
  func register(_ region: JSON = desk) throws {
    let session = try client.openSession(["purpose": "Greets you at the desk", "appId": .text(Self.app)])
    guard case let reply = try client.call(BusClient.session, "RegisterRegion", at: session, signature: "a{sv}", region),
      reply == .values([])
    else { throw TimeoutError("the region is not registered") }
    _ = try client.call(BusClient.session, "Close", at: session)
  }

  /// Returns the lines that the app has written, once it was woken `count` times.
  func wakings(_ count: Int) throws -> [JSON] {
    var lines: [JSON] = []
    try wait(for: "\(count) wakings") {
      guard FileManager.default.fileExists(atPath: record) else { return count == 0 }
      lines = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").map { try JSON(parsing: String($0)) }
      return lines.count { $0["action"] != nil } >= count
    }
    return lines
  }

  /// Returns the lines that the app with GApplication has printed, once it was woken `count` times.
  func printedWakings(_ count: Int) throws -> [String] {
    var lines: [String] = []
    try wait(for: "\(count) wakings") {
      guard FileManager.default.fileExists(atPath: record) else { return false }
      lines = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").map { String($0) }
      return lines.count >= count
    }
    return lines
  }

  /// Returns the event that each wake-up contained: `2 exit desk`.
  func told(_ count: Int) throws -> [String] {
    try wakings(count).compactMap { $0["details"]?[0] }.map { details in
      "\(Int(details["sequence"]?.number ?? 0)) \(details["event"]?.text ?? "") \(details["region"]?.text ?? "")"
    }
  }

  func killNotifier() throws {
    notifier.signal(SIGKILL)
    _ = try notifier.exitStatus()
  }

  func startNotifier() throws { notifier = try Self.notifier(stage, desktop) }

  private static func notifier(_ stage: Stage, _ desktop: PrivateBus) throws -> RunningProgram {
    let program = try RunningProgram(
      Programs.notifier,
      [
        "--bus", stage.bus.address, "--config", stage.folder.file("none.toml"), "--state", stage.folder.file("state"), "--desktop-bus",
        desktop.address, "--apps",
      ])
    _ = try program.log.next("the start of the notifier") { $0.contains("waiting for events of registered regions") }
    return program
  }

  /// Ends the daemon, and starts another with a new feed.
  ///
  /// - Parameter signal: The signal that ends the daemon.
  func replaceDaemon(_ signal: Int32) throws {
    daemon.signal(signal)
    _ = try daemon.exitStatus()
    feed = try CaptureFeed(stage, named: "feed-\(UUID().uuidString)")
    daemon = try stage.daemon(config: config, source: feed.path)
    try client.waitForDaemon()
  }
}
