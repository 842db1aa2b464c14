import Foundation
import TestSupport
import Testing

/// Targets that fail and recover, and a notifier that is killed.
@Suite struct OutboxTests {
  private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  /// Returns a webhook named till, with a secret in a file.
  private func till(_ server: WebhookServer, _ path: String = "/200", in scene: Stage? = nil) throws -> String {
    """
    [[notifier.target]]
    name = "till"
    webhook = { url = "\(server.url(path))", ca-file = "\(server.certificate?.file ?? "")", secret = { file = "FOLDER/secret" } }
    [[notifier.action]]
    target = "till"
    """
  }

  private let logAction = "\n[[notifier.action]]\nlog = \"{event} {region}\"\n"

  /// Returns every message once, in the order of its first arrival.
  private func received(_ server: WebhookServer) throws -> [(id: String, body: JSON)] {
    var seen: Set<String> = []
    return try server.requests().compactMap { request in
      guard let id = request.headers["webhook-id"], seen.insert(id).inserted else { return nil }
      return (id, try JSON(parsing: request.body))
    }
  }

  private func sequences(_ server: WebhookServer) throws -> [Int] {
    try received(server).compactMap { $0.body["sequence"]?.number.map { Int($0) } }
  }

  @Test func `an unreachable webhook receives its events later in order, and other targets do not wait`() throws {
    let server = try WebhookServer()
    let scene = try NotifierScene(try till(server) + logAction, files: ["secret": Self.secret + "\n"])
    try scene.feed.hear(minor: 1, at: 0)
    try wait(for: "the first event") { try sequences(server) == [1] }
    #expect(try server.requests().first?.headers["webhook-signature"]?.hasPrefix("v1,") == true)
    server.stop()
    for minor in UInt16(2)...9 { try scene.feed.hear(minor: minor, at: Double(minor)) }
    // The server may be killed before it has answered the first request.
    try scene.notifier.log.next(
      "the warning and the last log line",
      ofEach: [
        { $0.contains("warning: till for event ") && $0.contains("(enter exhibit ") }, { $0 == "beaconmon-notifier: enter exhibit 9" },
      ])
    try server.start()
    try wait(for: "the rest") { try sequences(server).count == 9 }
    #expect(try sequences(server) == Array(1...9))
    _ = try scene.notifier.log.next("the good news") { $0.contains("till: available again") }
  }

  @Test func `a busy server is retried at the time it requested, and a refusal is not retried`() throws {
    let server = try WebhookServer()
    let busy = try till(server, "/once/2/503")
    let strict = busy.replacingOccurrences(of: "till", with: "strict").replacingOccurrences(of: "/once/2/503", with: "/400")
    let scene = try NotifierScene(busy + "\n" + strict, files: ["secret": Self.secret])
    try scene.feed.hear(minor: 1, at: 0)
    try wait(for: "three attempts") { try server.requests().count { $0.path.hasPrefix("/once") } == 3 }
    #expect(Set(try server.requests().map { $0.headers["webhook-id"] }).count == 1)
    _ = try scene.notifier.log.next("the refusal") { $0.contains("strict for event 1 (enter exhibit 1): the server answered 400") }
    scene.notifier.signal(SIGTERM)
    _ = try scene.notifier.exitStatus()
    let listing = try RunningProgram.result(Programs.notifier, ["--outbox", "--state", scene.stage.folder.file("state")])
    // The other delivery may still wait for its third answer.
    let letter = listing.split(separator: "\n").first { $0.hasPrefix("strict: given up ") }
    #expect(letter?.contains(": the server answered 400: {\"sequence\":1,") == true)
    #expect(try server.requests().count { $0.path == "/400" } == 1)
  }

  @Test func `no secret appears in the log, on the command line or in the outbox`() throws {
    let server = try WebhookServer()
    let broker = try MosquittoBroker()
    let scene = try NotifierScene(
      """
      [[notifier.target]]
      name = "till"
      [notifier.target.webhook]
      url = { file = "FOLDER/url" }
      secret = { credential = "till" }
      headers = { Authorization = { file = "FOLDER/token" } }
      [[notifier.target]]
      name = "home"
      mqtt = { host = "localhost", port = \(broker.port), tls = true, ca-file = "\(broker.certificate?.file ?? "")", username = "shop", password = { file = "FOLDER/password" } }
      [[notifier.action]]
      target = ["till", "home"]
      """,
      files: [
        "url": "https://localhost:\(server.port)/hidden-path", "till": Self.secret, "token": "Bearer hidden-token",
        "password": "hidden-password",
      ], environment: ["CREDENTIALS_DIRECTORY": "FOLDER"])
    try scene.feed.hear(minor: 1, at: 0)
    try scene.notifier.log.next(
      "the failures of both",
      ofEach: ["till", "home"].map { name in { $0.contains("\(name) for event 1 ") && $0.contains("retrying") } })
    let commandLine = try String(contentsOfFile: "/proc/\(scene.notifier.pid)/cmdline", encoding: .utf8)
    scene.notifier.signal(SIGTERM)
    _ = try scene.notifier.exitStatus()
    let outbox = try ["outbox.db", "outbox.db-wal"].map { scene.stage.folder.file("state/\($0)") }
      .filter { FileManager.default.fileExists(atPath: $0) }.map {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: $0)), as: UTF8.self)
      }
    for text in [try scene.notifier.log.all().joined(), commandLine] + outbox {
      #expect(!text.contains("hidden") && !text.contains("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    }
  }

  @Test func `an unreadable secret is refused with its place, and a reload keeps the previous config`() throws {
    let scene = try NotifierScene(logAction)
    let broken = "[[notifier.action]]\nwebhook = { url = \"https://localhost/\", secret = { file = \"FOLDER/nothing\" } }"
    try scene.reconfigure(broken)
    _ = try scene.notifier.log.next("the refusal") {
      $0.hasSuffix(
        "error: target webhook localhost: \(scene.stage.folder.file("nothing")): cannot be read: No such file or directory (ENOENT); let the user of the notifier read it"
      )
    }
    try scene.feed.hear(minor: 1, at: 0)
    _ = try scene.notifier.log.next("the event") { $0.contains("enter exhibit 1") }
    let refusal = try scene.stage.refusal(
      of: Programs.notifier, ["--bus", scene.stage.bus.address, "--config", scene.stage.folder.file("config.toml")])
    #expect(refusal.status == 78)
  }

  @Test func `a read-only command leaves a damaged outbox unchanged, and the notifier reports the lost deliveries`() throws {
    let scene = try NotifierScene(logAction)
    try scene.killNotifier()
    let path = try scene.stage.file("state/outbox.db", "no database, but somebody's notes\n")
    for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
    let look = try scene.stage.refusal(of: Programs.notifier, ["--outbox", "--state", scene.stage.folder.file("state")])
    #expect(look == Stage.Refusal(status: 65, lines: ["beaconmon-notifier: FOLDER/state/outbox.db: file is not a database; move it away"]))
    let first = try scene.stage.refusal(
      of: Programs.notifier,
      ["--bus", scene.stage.bus.address, "--config", scene.stage.folder.file("config.toml"), "--state", scene.stage.folder.file("state")])
    #expect(
      first
        == Stage.Refusal(
          status: 65,
          lines: [
            "beaconmon-notifier: FOLDER/state/outbox.db: file is not a database; move it away, or restart the notifier, which moves it aside and keeps the readable deliveries"
          ]))
    try scene.startNotifier()
    let word = try scene.notifier.log.next("the loss") { $0.contains("could not be read") }
    #expect(word.contains("error: \(path) could not be read and was moved to \(path).1: file is not a database; 0 deliveries and "))
    #expect(try String(contentsOfFile: path + ".1", encoding: .utf8) == "no database, but somebody's notes\n")
  }

  @Test func `an outbox that cannot be opened at the start is opened later and brings the events that were missed`() throws {
    let scene = try NotifierScene(logAction)
    try scene.feed.hear(minor: 1, at: 0)
    _ = try scene.notifier.log.next("the first event") { $0.contains("enter exhibit 1") }
    try scene.killNotifier()
    let (state, kept) = (scene.stage.folder.file("state"), scene.stage.folder.file("kept"))
    try FileManager.default.moveItem(atPath: state, toPath: kept)
    try FileManager.default.createDirectory(atPath: state + "/outbox.db", withIntermediateDirectories: true)
    try scene.feed.hear(minor: 2, at: 1)
    // A live event would be queued in memory, which keeps the outbox there.
    try wait(for: "the missed event") {
      try CommandLine(["events", "--json", "--bus", scene.stage.bus.address]).output.contains { $0.contains("exhibit 2") }
    }
    try scene.startNotifier()
    _ = try scene.notifier.log.next("the failure") { $0.contains("until then the outbox is in memory, and a restart may lose deliveries") }
    try scene.waitUntilListening()
    try FileManager.default.removeItem(atPath: state)
    try FileManager.default.moveItem(atPath: kept, toPath: state)
    _ = try scene.notifier.log.next("the file") { $0.contains("the outbox is on disk") }
    _ = try scene.notifier.log.next("the missed event") { $0.contains("enter exhibit 2") }
    try scene.feed.hear(minor: 3, at: 2)
    _ = try scene.notifier.log.next("the next event") { $0.contains("enter exhibit 3") }
  }

  @Test func `libraries are loaded only for targets that need them`() throws {
    let server = try WebhookServer()
    let scene = try NotifierScene(logAction, files: ["secret": Self.secret])
    try scene.feed.hear(minor: 1, at: 0)
    _ = try scene.notifier.log.next("the event") { $0.contains("enter exhibit 1") }
    func libraries() throws -> String { try RunningProgram.result("/bin/cat", ["/proc/\(scene.notifier.pid)/maps"]) }
    #expect(try libraries().contains("libdbus"))
    for name in ["libcurl", "libmosquitto", "libcrypto"] { #expect(!(try libraries().contains(name)), "\(name)") }
    try scene.reconfigure(try till(server) + logAction)
    try scene.feed.hear(minor: 2, at: 1)
    try wait(for: "the webhook") { try !sequences(server).isEmpty }
    #expect(try libraries().contains("libcurl"))
    #expect(try !libraries().contains("libmosquitto"))
  }
}
