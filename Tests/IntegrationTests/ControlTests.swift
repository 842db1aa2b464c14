import Foundation
import TestSupport
import Testing

/// The daemon's signals: HUP, TERM and INT.
@Suite struct ControlTests {
  private static func region(_ identifier: String, minor: Int? = nil, more: String = "") -> String {
    """
    [[region]]
    identifier = "\(identifier)"
    uuid = "\(CaptureOctets.uuid)"
    \(minor.map { "major = 1\nminor = \($0)" } ?? "")
    \(more)

    """
  }

  @Test func `a valid config adds and removes regions, and the remaining ones keep their state without an event`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let config = try stage.file("config.toml", Self.region("hall") + Self.region("old", minor: 9))
    let daemon = try stage.daemon(config: config, source: feed.path)
    try feed.hear(minor: 1, at: 0)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    let heard = listener.signals.count

    _ = try stage.file("config.toml", Self.region("hall") + Self.region("new", minor: 2))
    daemon.signal(SIGHUP)
    _ = try daemon.log.next("the reload") { $0 == "beaconmond: \(config): reloaded, 2 regions" }
    try feed.hear(minor: 2, at: 1)
    let enter = try listener.next("an enter") { $0.name == "RegionEvent" }
    #expect(enter.arguments.prefix(3) == [2, "enter", .text("\(BusClient.root)/region/new")])
    let told = listener.signals.dropFirst(heard).dropLast().map {
      "\($0.name) \($0.path == BusClient.root ? $0.arguments[0].text ?? "" : $0.path)"
    }
    #expect(
      told == [
        "InterfacesRemoved \(BusClient.root)/region/old", "InterfacesAdded \(BusClient.root)/region/new",
        "PropertiesChanged org.beaconmon.Monitor1.Manager", "PropertiesChanged \(BusClient.root)/region/new",
      ])
    #expect(try listener.property("State", "Region", at: "\(BusClient.root)/region/hall") == "inside")
    #expect(try listener.property("Since", "Region", at: "\(BusClient.root)/region/hall") == .number(1_600_000_000_000_000))
    daemon.signal(SIGTERM)
  }

  @Test func `a simulated venue keeps its locations when the location sources of the config change`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let config = try stage.file("config.toml", Self.region("hall"))
    let park = Programs.repository("Docs/examples/scenarios/park-cafe.toml")
    let daemon = try RunningProgram(
      Programs.daemon, ["--bus", stage.bus.address, "--config", config, "--source", "simulator:\(park)", "--speed", "1"])
    try listener.waitForDaemon()
    func sources() throws -> [String?]? { try listener.property("LocationSources", "Manager")?.list?.map { $0["source"]?.text } }
    #expect(try sources() == ["simulator"])
    let fixed = "[location.fixed]\nlatitude = 50.25\nlongitude = 8.51\naccuracy = 5.0\n"
    _ = try stage.file("config.toml", Self.region("hall") + fixed)
    daemon.signal(SIGHUP)
    _ = try daemon.log.next("the reload") { $0 == "beaconmond: \(config): reloaded, 1 region" }
    #expect(try sources() == ["simulator"])
    daemon.signal(SIGTERM)
  }

  @Test func `a changed definition of a region is reported in its properties`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let config = try stage.file("config.toml", Self.region("hall"))
    let daemon = try stage.daemon(config: config, source: feed.path)
    try feed.hear(minor: 1, at: 0)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    _ = try stage.file("config.toml", Self.region("hall", minor: 7, more: "exit-delay = \"5s\""))
    daemon.signal(SIGHUP)
    let change = try listener.next("a change") { $0.name == "PropertiesChanged" }
    #expect(change.path == "\(BusClient.root)/region/hall")
    #expect(change.changed["Minor"] == 7 && change.changed["ExitDelay"] == "5s" && change.changed["State"] == "unknown")
    // The properties without a value.
    #expect(
      Set(change.arguments[2].list ?? []) == [
        "Beacon", "Within", "LeaveBeyond", "Hold", "NearestOnly", "MinimumRssi", "EnterSightings", "EnterTime", "Dwell", "Assume",
      ])
    daemon.signal(SIGTERM)
  }

  @Test func `a reload with another source warns in the log that it requires a restart`() throws {
    let stage = try Stage()
    let config = try stage.file("config.toml", "source = \"capture:\(Stage.walk)\"\n" + Self.region("hall"))
    let listener = try stage.listener()
    let daemon = try RunningProgram(Programs.daemon, ["--bus", stage.bus.address, "--config", config])
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    let other = stage.folder.file("other.btsnoop")
    try FileManager.default.copyItem(atPath: Stage.walk, toPath: other)
    _ = try stage.file("config.toml", "source = \"capture:\(other)\"\n" + Self.region("hall"))
    daemon.signal(SIGHUP)
    let warning = "beaconmond: warning: \(config): changes to source, capture-speed and [location.capture] require a restart"
    #expect(try daemon.log.next("the log line") == warning)
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }

  @Test func `an invalid config is refused with its reason, and a reload keeps the previous one`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let config = try stage.file("config.toml", Self.region("hall"))
    let daemon = try stage.daemon(config: config, source: feed.path)
    try feed.hear(minor: 1, at: 0)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    _ = try stage.file("config.toml", "nonsense")
    daemon.signal(SIGHUP)
    let reason = try daemon.log.next("the refusal")
    #expect(reason.hasPrefix("beaconmond: error: \(config):1"))
    #expect(try daemon.log.next() == "beaconmond: error: \(config): refused; keeping the previous configuration")
    try feed.hear(minor: 1, at: 40)
    let exit = try listener.next("an exit") { $0.name == "RegionEvent" }
    #expect(exit.arguments.prefix(3) == [2, "exit", .text("\(BusClient.root)/region/hall")])
    daemon.signal(SIGTERM)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `the daemon ends at once on a signal`(signal: Int32) throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Self.region("hall")), source: feed.path)
    try feed.hear(minor: 1, at: 0)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    daemon.signal(signal)
    #expect(try daemon.exitStatus(within: 4) == 0)
    #expect(try daemon.log.all() == [])
  }

  /// Returns a daemon on a frozen bus that has more to send than a socket holds: repeated enters and exits of 40 regions.
  private static func congested(_ stage: Stage, _ listener: BusClient) throws -> RunningProgram {
    let regions = (1...40).map { (minor: Int) -> String in region("exhibit \(minor)", minor: minor) }.joined()
    let feed = try CaptureFeed(stage)
    let daemon = try stage.daemon(config: try stage.file("config.toml", regions), source: feed.path)
    try feed.hear(minor: 1, at: 0)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    stage.bus.freeze()
    for round in 1...20 { for minor in 1...40 { try feed.hear(minor: UInt16(minor), at: Double(round * 100) + Double(minor) / 100) } }
    feed.end()
    _ = try daemon.log.next("its waiting") { $0 == "beaconmond: the bus does not accept messages; capture:\(feed.path) is paused" }
    return daemon
  }

  @Test func `the daemon ends at once while the bus hangs, without waiting for unsent messages`() throws {
    let stage = try Stage()
    let daemon = try Self.congested(stage, try stage.listener())
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus(within: 4) == 0)
    stage.bus.thaw()
  }

  @Test func `no event is lost while the bus hangs temporarily`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try Self.congested(stage, listener)
    stage.bus.thaw()
    _ = try listener.next("the end of the capture") { $0.saysEnded }
    let sequences = listener.signals.filter { $0.name == "RegionEvent" }.map { $0.arguments[0] }
    #expect(sequences == (1...sequences.count).map { .number(Double($0)) })
    #expect(sequences.count > 1600)
    daemon.signal(SIGTERM)
  }

  @Test func `the daemon ends at once while it waits for a bus that never answers`() throws {
    let stage = try Stage()
    let config = try stage.file("config.toml", Self.region("hall"))
    stage.bus.freeze()
    let daemon = try stage.daemon(config: config, source: Stage.walk)
    // Until then the child has its parent's sockets, and any signal ends it.
    try wait(for: "the daemon's readiness to end") {
      let status = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
      let blocked = status.firstMatch(of: /SigBlk:\s*([0-9a-f]+)/).flatMap { UInt64($0.output.1, radix: 16) } ?? 0
      return blocked & (1 << (SIGTERM - 1)) != 0
    }
    try wait(for: "the daemon's connection") {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.pid)/fd").contains {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(daemon.pid)/fd/\($0)").hasPrefix("socket:")
      }
    }
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus(within: 4) == 0)
    stage.bus.thaw()
  }
}
