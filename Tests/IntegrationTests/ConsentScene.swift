import Foundation
import TestSupport
import Testing

/// A private system bus with the shipped policy, a daemon on it, and a user without any privileges.
final class ConsentScene {
  static let stranger: UInt32 = 65_534
  static let constraint: JSON = ["uuid": .text(CaptureOctets.uuid)]

  let stage: Stage
  let feed: CaptureFeed
  let daemon: RunningProgram
  let insider: BusClient
  let client: BusClient
  let state: String
  /// The feeds of later daemons, which end with them.
  private var feeds: [CaptureFeed] = []

  /// - Parameters:
  ///   - service: The user that the daemon runs as, as in the unit; nil for root.
  ///   - omitted: A line that is removed from the shipped policy.
  init(rules: String = "", service: (name: String, number: UInt32)? = nil, without omitted: String = "") throws {
    let shipped = try String(contentsOfFile: Programs.repository("config/dbus/org.beaconmon.Monitor1.conf"), encoding: .utf8)
    // The machine has no user or group of the service, so root runs it.
    let policy = try #require(shipped.firstMatch(of: /(?s)<busconfig>(.*)<\/busconfig>/)?.output.1)
      .replacing(/(?s)<policy group="beaconmon">.*?<\/policy>/, with: "").replacing(omitted, with: "")
      .replacing("user=\"beaconmon\"", with: "user=\"\(service?.name ?? "root")\"")
    stage = try Stage(on: try PrivateBus(policies: Self.systemPolicy + policy))
    feed = try CaptureFeed(stage)
    state = stage.folder.file("journal.db")
    let config = try stage.file("config.toml", rules + "[journal]\npath = \"\(state)\"\n" + Stage.hall)
    for (path, mode) in [(stage.folder.path, 0o777), (feed.path, 0o666), (config, 0o644)] as [(String, mode_t)] { chmod(path, mode) }
    daemon =
      try service.map { [stage, feed] in
        try Self.run(
          Programs.daemon, as: $0.number, stage.bus,
          ["--bus", stage.bus.address, "--config", config, "--source", "capture:\(feed.path)", "--speed", "max"])
      } ?? stage.daemon(config: config, source: feed.path)
    insider = try BusClient(stage.bus, matching: "type='signal'")
    try insider.waitForDaemon()
    client = try BusClient(stage.bus, as: Self.stranger, matching: "type='signal'")
  }

  /// The relevant part of /usr/share/dbus-1/system.conf.
  private static let systemPolicy = """
    <policy context="default">
      <allow user="*"/>
      <deny own="*"/>
      <deny send_type="method_call"/>
      <allow send_type="signal"/>
      <allow send_requested_reply="true" send_type="method_return"/>
      <allow send_requested_reply="true" send_type="error"/>
      <allow receive_type="method_call"/>
      <allow receive_type="method_return"/>
      <allow receive_type="error"/>
      <allow receive_type="signal"/>
      <allow send_destination="org.freedesktop.DBus"/>
      <deny send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus" send_member="UpdateActivationEnvironment"/>
      <deny send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Debug.Stats"/>
    </policy>
    <policy user="root">
      <allow own="org.freedesktop.PolicyKit1"/>
      <allow send_destination="org.freedesktop.PolicyKit1"/>
      <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Debug.Stats"/>
      <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Monitoring"/>
    </policy>
    """

  /// Runs one of our programs as a user who may not even enter its folder.
  static func run(_ program: String, as user: UInt32, _ bus: PrivateBus, _ arguments: [String]) throws -> RunningProgram {
    let copy = bus.directory.file("\(URL(fileURLWithPath: program).lastPathComponent)-\(user)")
    if !FileManager.default.fileExists(atPath: copy) {
      // A copy written by this process could still be open for writing in a child that another test just forked.
      _ = try RunningProgram.result("/bin/cp", [program, copy])
    }
    return try RunningProgram("/usr/bin/setpriv", ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", copy] + arguments)
  }

  func polkit() throws -> RunningProgram {
    let program = try RunningProgram(Programs.python, [Programs.peer("fake_polkit.py"), stage.bus.address])
    _ = try program.output.next("polkit") { $0 == "ready" }
    return program
  }

  func end(_ daemon: RunningProgram) throws {
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }

  /// Starts another daemon with the same state.
  func restart(_ feed: String) throws -> RunningProgram {
    let feed = try CaptureFeed(stage, named: feed)
    feeds.append(feed)
    let daemon = try stage.daemon(config: stage.folder.file("config.toml"), source: feed.path)
    try insider.waitForDaemon()
    return daemon
  }

  func decide(_ words: String...) throws {
    #expect(try CommandLine(["privacy"] + words + ["--bus", stage.bus.address]).status == 0)
  }

  func range(on session: String) throws -> BusClient.Reply { try client.range(Self.constraint, on: session) }

  static func refusal(_ reason: String) -> BusClient.Reply {
    .error("\(BusClient.busName).Error.NotAuthorized", message: reason)
  }

  static let undecided = refusal(
    "there is no decision about this user yet; an administrator can permit it with `beaconmon privacy grant USER`")
}
