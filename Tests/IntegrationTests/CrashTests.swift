import Foundation
import TestSupport
import Testing

/// The daemon, the notifier and the bus are killed at random instants of a scripted day.
@Suite struct CrashTests {
  /// The number of crashes, from BEACONMON_CRASHES.
  private static let crashes = ProcessInfo.processInfo.environment["BEACONMON_CRASHES"].flatMap(Int.init) ?? 100
  private static let beacons: ClosedRange<UInt16> = 1...6
  /// The seconds between two advertisements of each beacon.
  private static let interval = 10.0
  /// The beacon of no region: its sightings advance the clock while no visitor is there.
  private static let clock: UInt16 = 99

  @Test func `every target receives each enter and exit of the day once, in order and with its number`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("crash seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let (server, broker) = (try WebhookServer(encrypted: false), try MosquittoBroker(encrypted: false))
    let live = try broker.subscribe("shop/events")
    let scene = try NotifierScene(Self.actions(server, broker), rules: "exit-delay = \"30s\"")
    let day = ScriptedDay(beacons: Self.beacons, using: &random)
    try play(day, to: scene, seed: seed, using: &random)

    let expected = day.visits.values.reduce(0) { $0 + 2 * $1.count }
    var told: [JSON] = []
    try waitOrGoOn(for: scene) { () throws in
      let run = try CommandLine(["events", "--json", "--bus", scene.stage.bus.address])
      told = try run.output.map { try JSON(parsing: $0) }
      return run.status == 0 && told.count(where: \.isCrossing) >= expected
    }
    #expect(told.map { $0["sequence"]?.number } == (1...max(1, told.count)).map { Double($0) }, "seed \(seed)")
    #expect(Set(told.map { $0["journal"] }).count == 1, "seed \(seed)")
    let crossings = told.filter(\.isCrossing)
    for minor in Self.beacons {
      let own = try crossings.filter { $0["region"]?.text == "exhibit \(minor)" }.map { ($0["event"]?.text ?? "", try $0.second) }
      #expect(day.faults(of: minor, in: own, loss: 120) == [], "seed \(seed)")
    }
    let lines = crossings.map(\.asCommand)
    try waitOrGoOn(for: scene) { try Self.webhooks(server).count >= lines.count }
    #expect(try Self.webhooks(server) == lines, "seed \(seed)")
    try waitOrGoOn(for: scene) { try Self.publications(live).count >= lines.count }
    #expect(try Self.publications(live) == lines, "seed \(seed)")
    try waitOrGoOn(for: scene) { try Self.calls(scene).count >= lines.count }
    let calls = try Self.calls(scene)
    for minor in Self.beacons {
      #expect(calls.filter { $0.hasSuffix(" \(minor)") } == lines.filter { $0.hasSuffix(" \(minor)") }, "seed \(seed)")
    }
    #expect(Set(calls) == Set(lines), "seed \(seed)")
    print("\(Self.crashes) crashes, \(lines.count) enters and exits; \(try server.requests().count - lines.count) repeated to the webhook")
  }

  /// Plays the day in the time of the capture.
  ///
  /// The daemon is at most a few sightings behind, so that a crash does not lose half an hour.
  private func play(_ day: ScriptedDay, to scene: NotifierScene, seed: UInt64, using random: inout SeededGenerator) throws {
    let integrity = try RunningProgram(Programs.python, ["-u", Programs.peer("integrity.py")])
    func check(_ path: String) throws {
      try integrity.input.write(contentsOf: Data((path + "\n").utf8))
      #expect(try integrity.output.next() == "ok", "\(path), seed \(seed)")
    }
    var crashes = (0..<Self.crashes).map { _ in Double.random(in: 0..<ScriptedDay.length, using: &random) }.sorted()[...]
    var feed = scene.feed
    for second in stride(from: 0, to: ScriptedDay.length + ScriptedDay.shortest, by: Self.interval) {
      for minor in day.beacons(at: second) + [Self.clock] { try feed.hear(minor: minor, at: second) }
      try wait(for: "the daemon to read") {
        // Without a bus the programs do not start, and a service manager retries.
        if !scene.daemon.isRunning { feed = try Self.startDaemon(scene, at: second) }
        if !scene.notifier.isRunning { try scene.startNotifier() }
        return feed.unread < 1024
      }
      while let next = crashes.first, next <= second {
        crashes.removeFirst()
        // Spreads the crashes over the programs' work.
        usleep(.random(in: 0...3000, using: &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          try scene.killDaemon()
          try check(scene.stage.folder.file("journal.db"))
          feed = try Self.startDaemon(scene, at: second)
        case 1:
          try scene.killNotifier()
          try check(scene.stage.folder.file("state/outbox.db"))
          try scene.startNotifier()
        default: try scene.stage.bus.restart()
        }
      }
    }
  }

  /// Starts a daemon with a new feed, whose clock continues that of the previous one.
  private static func startDaemon(_ scene: NotifierScene, at second: Double) throws -> CaptureFeed {
    let feed = try CaptureFeed(scene.stage, named: UUID().uuidString)
    try scene.startDaemon(feed: feed)
    try feed.hear(minor: clock, at: second)
    return feed
  }

  private static func actions(_ server: WebhookServer, _ broker: MosquittoBroker) -> String {
    """
    [journal]
    path = "FOLDER/journal.db"
    [[notifier.target]]
    name = "till"
    webhook = { url = "\(server.url("/200"))" }
    [[notifier.target]]
    name = "home"
    mqtt = { host = "localhost", port = \(broker.port), topic = "shop" }
    [[notifier.target]]
    name = "script"
    command = ["/bin/sh", "-c", "echo $BEACONMON_SEQUENCE $BEACONMON_EVENT $BEACONMON_REGION >> FOLDER/calls"]
    [[notifier.action]]
    target = ["till", "home", "script"]
    """
  }

  /// Waits until `condition` holds or the deadline passes. The checks after it explain better which events are missing.
  ///
  /// The last restart of the bus can end a notifier that was starting, at any time after the day. A service manager starts it again.
  private func waitOrGoOn(for scene: NotifierScene, until condition: () throws -> Bool) throws {
    do {
      try wait(for: "all events") {
        if !scene.notifier.isRunning { try scene.startNotifier() }
        return try condition()
      }
    } catch is TimeoutError {}
  }

  private static func webhooks(_ server: WebhookServer) throws -> [String] {
    try server.requests().map { try JSON(parsing: $0.body).asCommand }.withoutRepetitions
  }

  private static func publications(_ live: BrokerSubscriber) throws -> [String] {
    // The target keeps states, and so receives every change.
    try live.messages().map { try JSON(parsing: $0.payload) }.filter(\.isCrossing).map(\.asCommand).withoutRepetitions
  }

  private static func calls(_ scene: NotifierScene) throws -> [String] {
    try scene.lines(of: "calls", count: 1).withoutRepetitions
  }
}

extension JSON {
  fileprivate var isCrossing: Bool { self["event"] == "enter" || self["event"] == "exit" }

  /// The event as the command writes it.
  fileprivate var asCommand: String { "\(Int(self["sequence"]?.number ?? 0)) \(self["event"]?.text ?? "") \(self["region"]?.text ?? "")" }

  /// The seconds since second zero of the capture.
  fileprivate var second: Double {
    get throws {
      let format = DateFormatter()
      format.locale = Locale(identifier: "en_US_POSIX")
      format.timeZone = TimeZone(identifier: "UTC")
      format.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'"
      let time = try #require(format.date(from: self["time"]?.text ?? ""))
      return time.timeIntervalSince1970 - Double(CaptureOctets.start) / 1e6
    }
  }
}

extension [String] {
  /// The first occurrence of each line, in order.
  fileprivate var withoutRepetitions: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
