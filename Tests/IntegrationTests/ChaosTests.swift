import Foundation
import TestSupport
import Testing

/// The daemon, the notifier, the bus and the receivers of events fail at the same time.
///
/// The programs are killed and stopped, and the web servers fail in every way.
@Suite struct ChaosTests {
  /// The duration in seconds, from BEACONMON_CHAOS.
  private static let seconds = ProcessInfo.processInfo.environment["BEACONMON_CHAOS"].flatMap(Double.init) ?? 10
  /// The seed, from BEACONMON_CHAOS_SEED. It repeats a run as far as processes are repeatable.
  private static let seed =
    ProcessInfo.processInfo.environment["BEACONMON_CHAOS_SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64(Int64.max))

  @Test func `every event of the journal reaches every target with one id, in spite of all failures`() throws {
    let seed = Self.seed
    print("chaos seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let (plain, secure) = (try WebhookServer(encrypted: false), try WebhookServer())
    let folder = try TemporaryDirectory()
    let untrusted = try Certificate(in: folder, named: "untrusted")
    let chaos = "/chaos/\(seed % 1_000_000)"
    let scene = try NotifierScene(
      """
      [journal]
      path = "FOLDER/journal.db"
      [[notifier.target]]
      name = "till"
      webhook = { url = "\(plain.url(chaos))", timeout = "1s" }
      [[notifier.target]]
      name = "door"
      webhook = { url = "\(secure.url(chaos))", timeout = "1s", ca-file = "\(secure.certificate?.file ?? "")" }
      [[notifier.target]]
      name = "script"
      command = ["/bin/sh", "-c", "echo $BEACONMON_SEQUENCE $BEACONMON_EVENT $BEACONMON_REGION >> FOLDER/calls"]
      [[notifier.action]]
      target = ["till", "door", "script"]
      """)
    var stir = Stir(scene: scene, plain: plain, secure: secure, untrusted: untrusted)
    let end = Date(timeIntervalSinceNow: Self.seconds)
    while Date() < end {
      try stir.hear(using: &random)
      try stir.fail(using: &random)
      // The pace of the chaos: about five events and one failure each.
      usleep(.random(in: 20_000...300_000, using: &random))
    }
    for server in [plain, secure] {
      server.stop()
      try server.start()
      try server.calmDown()
    }
    let told = try stir.settle()
    #expect(told.map { $0["sequence"]?.number } == (1...max(1, told.count)).map { Double($0) }, "seed \(seed)")
    #expect(Set(told.map { $0["journal"] }).count == 1, "seed \(seed)")
    let crossings = told.filter { $0["event"] == "enter" || $0["event"] == "exit" }
    let wanted = Set(crossings.map(\.sequence))
    for (name, server) in [("till", plain), ("door", secure)] {
      var accepted: [WebhookServer.Request] = []
      // Each SIGHUP retries a target that pauses after failures.
      try waitOrGoOn {
        if !scene.notifier.isRunning { try scene.startNotifier() }
        scene.notifier.signal(SIGHUP)
        accepted = try server.requests().filter { ["200", "204", "flood"].contains($0.answer) }
        return Set(try accepted.map { try JSON(parsing: $0.body).sequence }).isSuperset(of: wanted)
      }
      let numbers = try accepted.map { try JSON(parsing: $0.body).sequence }
      #expect(wanted.subtracting(numbers).isEmpty, "\(name), seed \(seed)")
      #expect(Set(numbers).isSubset(of: wanted), "\(name), seed \(seed)")
      // A repeated delivery has the id and the octets of the first.
      let all = try server.requests()
      var first: [Int: (id: String, body: String)] = [:]
      for request in all {
        let (id, number) = (request.headers["webhook-id"] ?? "", try JSON(parsing: request.body).sequence)
        let known = first[number] ?? (id, request.body)
        first[number] = known
        #expect(known == (id, request.body), "\(name), event \(number), seed \(seed)")
      }
      #expect(Set(first.values.map(\.id)).count == first.count, "\(name), seed \(seed)")
      print("\(name): \(wanted.count) events, \(all.count) requests, \(numbers.count - wanted.count) of them repeated after an answer")
    }
    let lines = Set(crossings.map { "\($0.sequence) \($0["event"]?.text ?? "") \($0["region"]?.text ?? "")" })
    var calls: Set<String> = []
    try waitOrGoOn {
      calls = Set(try scene.lines(of: "calls", count: 1))
      return calls.isSuperset(of: lines)
    }
    #expect(calls == lines, "seed \(seed)")
    print("chaos: \(told.count) events of the journal, \(stir.failures) failures in \(Int(Self.seconds)) s")
  }

  private func waitOrGoOn(until condition: () throws -> Bool) throws {
    do { try wait(for: "all events", within: 600) { if try condition() { true } else { try pause() } } } catch is TimeoutError {}
  }

  private func pause() throws -> Bool {
    // A reload retries at once, so half a second is enough.
    usleep(500_000)
    return false
  }

  /// The failures, and the beacons meanwhile.
  private struct Stir {
    let scene: NotifierScene
    let plain: WebhookServer
    let secure: WebhookServer
    let untrusted: Certificate
    var second = 0.0
    var failures = 0
    private var feed: CaptureFeed

    init(scene: NotifierScene, plain: WebhookServer, secure: WebhookServer, untrusted: Certificate) {
      (self.scene, self.plain, self.secure, self.untrusted) = (scene, plain, secure, untrusted)
      feed = scene.feed
    }

    /// Some beacons appear, and the earlier ones have left: advertisements are farther apart than an exit delay.
    mutating func hear(using random: inout SeededGenerator) throws {
      try keepRunning()
      second += 100
      for minor in UInt16(1)...9 where Bool.random(using: &random) { try feed.hear(minor: minor, at: second) }
    }

    mutating func fail(using random: inout SeededGenerator) throws {
      failures += 1
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        try scene.killDaemon()
        try startDaemon()
      case 1:
        try scene.killNotifier()
        try scene.startNotifier()
      case 2: try scene.stage.bus.restart()
      case 3: try stop(scene.daemon, using: &random)
      case 4: try stop(scene.notifier, using: &random)
      case 5: try restart(plain)
      case 6: try restart(secure)
      case 7: try restart(secure, with: untrusted)
      case 8: scene.daemon.signal(SIGHUP)
      case 9: scene.notifier.signal(SIGHUP)
      default: failures -= 1
      }
    }

    private func stop(_ program: RunningProgram, using random: inout SeededGenerator) throws {
      program.signal(SIGSTOP)
      // Long enough for messages to pile up, and for the notifier's timeout to pass now and then.
      usleep(.random(in: 50_000...1_500_000, using: &random))
      program.signal(SIGCONT)
    }

    private func restart(_ server: WebhookServer, with certificate: Certificate? = nil) throws {
      server.stop()
      try server.start(with: certificate)
    }

    private mutating func keepRunning() throws {
      // Without a bus the programs end, and a service manager restarts them.
      if !scene.daemon.isRunning { try startDaemon() }
      if !scene.notifier.isRunning { try scene.startNotifier() }
      try wait(for: "the daemon to read") {
        if !scene.daemon.isRunning { try startDaemon() }
        return feed.unread < 1024
      }
    }

    private mutating func startDaemon() throws {
      feed.end()
      feed = try CaptureFeed(scene.stage, named: UUID().uuidString)
      try scene.startDaemon(feed: feed)
      // The beacon belongs to no region: it starts the capture's clock.
      try feed.hear(minor: 99, at: second)
    }

    /// Makes every visitor leave, and returns the journal's events afterwards.
    mutating func settle() throws -> [JSON] {
      second += 1000
      try keepRunning()
      for step in 0..<3 { try feed.hear(minor: 99, at: second + 100 * Double(step)) }
      let listener = try scene.stage.listener()
      var (last, steady): (JSON?, Int) = (nil, 0)
      try wait(for: "the journal to stand still", within: 120) {
        try keepRunning()
        let now = try listener.property("LastSequence", "Manager")
        steady = feed.unread == 0 && now == last ? steady + 1 : 0
        last = now
        return steady == 20
      }
      let run = try CommandLine(["events", "--json", "--bus", scene.stage.bus.address])
      guard run.status == 0 else { throw TimeoutError(run.errors.joined(separator: "\n")) }
      return try run.output.map { try JSON(parsing: $0) }
    }
  }
}

extension JSON {
  fileprivate var sequence: Int { Int(self["sequence"]?.number ?? 0) }
}
