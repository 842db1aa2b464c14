import Foundation
import TestSupport

/// A daemon with a feed that the test writes, a notifier, and the folder to which its commands write.
final class NotifierScene {
  let stage: Stage
  let feed: CaptureFeed
  private(set) var notifier: RunningProgram
  private(set) var daemon: RunningProgram
  /// The feed of the daemon that runs: a feed that is released ends, and with it the daemon.
  private var latestFeed: CaptureFeed
  private let rules: String
  let config: String
  private let arguments: [String]
  private let environment: [String: String]

  /// Starts a daemon and a notifier with the regions "exhibit 1" to "exhibit 9".
  ///
  /// Each region has the beacon of that minor, and `rules`. FOLDER stands for the stage's folder in the actions, the environment and the
  /// notifier's options. `files` are written there before anything starts.
  init(
    _ actions: String, rules: String = "", desktop: PrivateBus? = nil, files: [String: String] = [:], environment: [String: String] = [:],
    options: [String] = []
  ) throws {
    stage = try Stage()
    for (name, content) in files { _ = try stage.file(name, content) }
    self.environment = environment.mapValues { [stage] in $0.replacingOccurrences(of: "FOLDER", with: stage.folder.path) }
    feed = try CaptureFeed(stage)
    latestFeed = feed
    self.rules = rules
    config = try stage.file("config.toml", Self.config(actions, rules, stage))
    daemon = try stage.daemon(config: config, source: feed.path)
    arguments =
      ["--bus", stage.bus.address, "--config", config, "--state", stage.folder.file("state")]
      + (desktop.map { ["--desktop-bus", $0.address] } ?? [])
      + options.map { [stage] in $0.replacingOccurrences(of: "FOLDER", with: stage.folder.path) }
    notifier = try RunningProgram(Programs.notifier, arguments, environment: self.environment)
    try waitUntilListening()
  }

  /// Waits until the notifier logs that it receives events.
  func waitUntilListening() throws {
    _ = try notifier.log.next("the start of the notifier") { $0.contains("beaconmond is running; waiting for events") }
  }

  /// Reloads both programs with another config.
  func reconfigure(_ actions: String) throws {
    _ = try stage.file("config.toml", Self.config(actions, rules, stage))
    notifier.signal(SIGHUP)
  }

  /// Kills the notifier.
  func killNotifier() throws {
    notifier.signal(SIGKILL)
    _ = try notifier.exitStatus()
  }

  /// Starts another notifier, without waiting until it receives events.
  func startNotifier() throws {
    notifier = try RunningProgram(Programs.notifier, arguments, environment: environment)
  }

  /// Kills the daemon.
  func killDaemon() throws {
    daemon.signal(SIGKILL)
    _ = try daemon.exitStatus()
  }

  /// Starts another daemon with a new feed.
  func replaceDaemon(feed: CaptureFeed) throws {
    try killDaemon()
    try startDaemon(feed: feed)
  }

  func startDaemon(feed: CaptureFeed) throws {
    latestFeed = feed
    daemon = try stage.daemon(config: config, source: feed.path)
  }

  /// Returns the lines that a command wrote to a file of the folder, once there are `count`.
  func lines(of name: String, count: Int) throws -> [String] {
    let path = stage.folder.file(name)
    var lines: [String] = []
    try wait(for: "\(count) lines in \(name)") {
      guard FileManager.default.fileExists(atPath: path) else { return false }
      lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
      return lines.count >= count
    }
    return lines
  }

  private static func config(_ actions: String, _ rules: String, _ stage: Stage) -> String {
    let regions = (1...9).map { (minor: Int) -> String in
      """
      [[region]]
      identifier = "exhibit \(minor)"
      uuid = "\(CaptureOctets.uuid)"
      major = 1
      minor = \(minor)
      \(rules)

      """
    }
    return regions.joined() + actions.replacingOccurrences(of: "FOLDER", with: stage.folder.path)
  }
}
