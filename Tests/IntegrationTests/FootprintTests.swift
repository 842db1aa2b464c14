import Foundation
import TestSupport
import Testing

/// The memory, threads and wake-ups of the daemon after it has played the gallery's capture to its end.
@Suite(.ofRelease) struct FootprintTests {
  @Test func `the daemon takes at most 11 MiB, one thread, and no wake-up in ten idle seconds`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk, speed: "50")
    _ = try listener.next("the end of the walk") { $0.saysEnded }
    let before = try ProcessStatus(daemon.pid)
    expectSmall(before, most: 11_264)
    // The promise is about ten idle seconds; a timer of any period up to that would show.
    sleep(10)
    #expect(try ProcessStatus(daemon.pid).voluntarySwitches == before.voluntarySwitches)
    daemon.signal(SIGTERM)
  }

  @Test func `a daemon with the gallery's venue and regions of its places takes at most 14 MiB after the walk`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let venue = "venues = [\"\(Programs.repository("Docs/examples/venues/gallery.toml"))\"]\n"
    let walk = try String(contentsOfFile: Stage.walkConfig, encoding: .utf8)
    let places = """

      [[region]]
      identifier = "venue"
      venue = "gallery"
      [[region]]
      identifier = "floor"
      venue = "gallery"
      level = "ground"
      [[region]]
      identifier = "sextant"
      place = "sextant"
      """
    let daemon = try stage.daemon(config: try stage.file("config.toml", venue + walk + places), source: Stage.walk, speed: "50")
    try listener.waitForDaemon()
    // A client that asks for positions makes the room filter work.
    _ = try listener.updateLocation(["desiredAccuracy": "best"], on: try listener.openSession())
    _ = try listener.next("the end of the walk") { $0.saysEnded }
    #expect(listener.signals.contains { $0.details?["region"] == "venue" && $0.details?["event"] == "enter" })
    expectSmall(try ProcessStatus(daemon.pid), most: 14_336)
    daemon.signal(SIGTERM)
  }

  @Test func `a daemon with 200 beacons in 200 regions takes at most 12.5 MiB, even while a client reads events and status`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
    let shelves = (1...200).map { minor in
      """
      [[beacon]]
      uuid = "\(uuid)"
      major = 1
      minor = \(minor)
      position = [\(minor % 10), 4]
      interval = "1s"
      [[region]]
      identifier = "shelf \(minor)"
      uuid = "\(uuid)"
      major = 1
      minor = \(minor)

      """
    }
    let scenario = "name = \"shop\"\nduration = \"20s\"\n[[receiver]]\nposition = [5, 5]\n" + shelves.joined()
    let (capture, config) = (stage.folder.file("shop.btsnoop"), stage.folder.file("shop.toml"))
    _ = try CommandLine(["simulate", try stage.file("scenario.toml", scenario), "--output", capture, "--config", config])
    let daemon = try stage.daemon(config: config, source: capture, speed: "4")
    _ = try listener.next("the end of the capture") { $0.saysEnded }
    let events = try CommandLine(["events", "--json", "--bus", stage.bus.address]).output.map { try JSON(parsing: $0) }
    #expect(events.count { $0["event"] == "enter" } == 200)
    _ = try CommandLine(["status", "--bus", stage.bus.address])
    let after = try ProcessStatus(daemon.pid)
    // 11.4 MiB alone, and 12.1 MiB beside the other suites, which keep more of the program's file in memory.
    expectSmall(after, most: 12_800)
    // The daemon gives pages back two seconds after the last large answer, and once a minute only if a service manager watches it.
    sleep(4)
    let settled = try ProcessStatus(daemon.pid)
    print("beaconmond: VmRSS \(settled.residentKiB) KiB four seconds later")
    #expect(settled.residentKiB < after.residentKiB)
    daemon.signal(SIGTERM)
  }

  /// Expects one thread, at most `most` KiB, and 17.5 MiB during the start, which touches more of the program's file.
  ///
  /// The limits are above the figures in Docs/performance.md, because the kernel maps more pages of a file at once if it keeps the file in
  /// memory in larger pieces.
  private func expectSmall(_ daemon: ProcessStatus, most: Int) {
    print("beaconmond: VmRSS \(daemon.residentKiB) KiB, VmHWM \(daemon.peakKiB) KiB, \(daemon.threads) thread")
    #expect(daemon.residentKiB <= most)
    #expect(daemon.peakKiB <= 17_920)
    #expect(daemon.threads == 1)
  }

  @Test func `a client that follows a configured location causes no wake-up in ten idle seconds`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let walk = try String(contentsOfFile: Stage.walkConfig, encoding: .utf8)
    let config = try stage.file("config.toml", walk + "\n" + LocationScene.fixed)
    let daemon = try stage.daemon(config: config, source: Stage.walk, speed: "50")
    _ = try listener.next("the end of the walk") { $0.saysEnded }
    _ = try listener.updateLocation(["distanceFilter": 10], on: try listener.openSession())
    _ = try listener.nextLocation()
    // The daemon pings a client once.
    try listener.ping()
    // Timers of the last call end within a second.
    sleep(1)
    let before = try ProcessStatus(daemon.pid)
    // The promise is about ten idle seconds; a timer of any period up to that would show.
    sleep(10)
    #expect(try ProcessStatus(daemon.pid).voluntarySwitches == before.voluntarySwitches)
    daemon.signal(SIGTERM)
  }

  @Test func `a stationary device with circles of the config and of a session causes no wake-up in ten idle seconds`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let circle = CircleScene.circle("shop", 52.52, 13.405, radius: 100)
    let daemon = try RunningProgram(
      Programs.daemon,
      [
        "--bus", stage.bus.address, "--config", try stage.file("config.toml", LocationScene.fixed + "\n" + circle), "--source", "none",
      ], environment: ["STATE_DIRECTORY": stage.folder.path])
    try listener.waitForDaemon()
    let session = try listener.openSession()
    _ = try listener.updateLocation(["distanceFilter": 10], on: session)
    _ = try listener.monitor(["identifier": "desk", "latitude": 52.52, "longitude": 13.405, "radius": 50], on: session)
    // Both are entered after 20 s and stay inside. The test's own clocks would change the figures.
    try wait(for: "the enters", within: 90) {
      try listener.ping()
      // Polls five times a second until the wait's deadline.
      usleep(200_000)
      return listener.signals.count { $0.details?["event"] == "enter" } == 2
    }
    // Timers of the last call end within a second.
    sleep(1)
    let before = try ProcessStatus(daemon.pid)
    expectSmall(before, most: 12_288)
    // The promise is about ten idle seconds; a timer of any period up to that would show.
    sleep(10)
    #expect(try ProcessStatus(daemon.pid).voluntarySwitches == before.voluntarySwitches)
    daemon.signal(SIGTERM)
  }

  @Test func `ten thousand events for an unreachable webhook take at most 21 MiB, and all are delivered in order`()
    throws
  {
    let server = try WebhookServer()
    let broker = try MosquittoBroker()
    let scene = try NotifierScene(
      """
      [journal]
      path = "FOLDER/journal.db"
      [[notifier.target]]
      name = "till"
      webhook = { url = "\(server.url("/200"))", ca-file = "\(server.certificate?.file ?? "")", secret = { file = "FOLDER/secret" } }
      [[notifier.target]]
      name = "home"
      mqtt = { host = "localhost", port = \(broker.port), tls = true, ca-file = "\(broker.certificate?.file ?? "")", username = "shop", password = { file = "FOLDER/password" }, topic = "shop", discovery = "homeassistant" }
      [[notifier.action]]
      target = "till"
      [[notifier.action]]
      target = "home"
      events = ["enter", "exit"]
      """, files: ["secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "password": MosquittoBroker.password])
    let live = try broker.subscribe("shop/events")
    try scene.feed.hear(minor: 1, at: 0)
    try wait(for: "the first event") { try server.requests().count == 1 && live.messages().count == 1 }
    server.stop()
    let start = Date()
    // Each round is nine enters and, at the start of the next, nine exits.
    let rounds = 556
    for round in 1...rounds { for minor in UInt16(1)...9 { try scene.feed.hear(minor: minor, at: Double(round) * 100) } }
    let expected = 2 + rounds * 18 - 9
    try wait(for: "the broker, which does not wait", within: 240) { try live.messages().count >= expected }
    let away = try ProcessStatus(scene.notifier.pid)
    try server.start()
    // The notifier would retry by itself after a pause as long as the failure.
    scene.notifier.signal(SIGHUP)
    // A request that times out is repeated, so one delivery can be several requests.
    func deliveries() throws -> [String] {
      var seen: Set<String> = []
      return try server.requests().compactMap { $0.headers["webhook-id"] }.filter { seen.insert($0).inserted }
    }
    try wait(for: "the webhook", within: 240) { try deliveries().count >= expected }
    let after = try ProcessStatus(scene.notifier.pid)
    print(
      "beaconmon-notifier: VmRSS \(away.residentKiB) KiB with \(expected) waiting, VmHWM \(after.peakKiB) KiB, \(after.threads) threads, \(Int(-start.timeIntervalSinceNow)) s"
    )
    let sequences = try deliveries().compactMap { $0.split(separator: "-").last.flatMap { Int($0) } }
    let told = try CommandLine(["events", "--json", "--bus", scene.stage.bus.address]).output.map { try JSON(parsing: $0) }
    let crossings = told.filter { $0["event"] == "enter" || $0["event"] == "exit" }.compactMap { $0["sequence"]?.number.map { Int($0) } }
    #expect(sequences.count == expected && crossings.count == expected)
    let different = zip(sequences, crossings).first { $0 != $1 }
    #expect(different == nil, "the webhook's event and the journal's")
    #expect(away.residentKiB <= 21 * 1024 && after.peakKiB <= 30 * 1024)
  }
}

/// The values of /proc/PID/status: proc(5).
private struct ProcessStatus {
  let residentKiB: Int
  let peakKiB: Int
  let threads: Int
  /// The number of voluntary switches: each wake-up ends with one.
  let voluntarySwitches: Int

  init(_ pid: Int32) throws {
    let lines = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8).split(separator: "\n")
    func number(_ key: String) throws -> Int {
      let line = try #require(lines.first { $0.hasPrefix("\(key):") })
      return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }
    residentKiB = try number("VmRSS")
    peakKiB = try number("VmHWM")
    threads = try number("Threads")
    voluntarySwitches = try number("voluntary_ctxt_switches")
  }
}
