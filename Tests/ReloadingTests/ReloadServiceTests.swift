import Failures
import Instants
import Logging
import Reloading
import Status
import TestSupport
import Testing

/// Reloads of the configuration on a manual clock.
@Suite struct ReloadServiceTests {
  @Test func `a reload is announced, read and applied before its completion is reported to the service manager`() {
    let scene = Scene()
    scene.start()
    scene.scheduler.advance(by: .seconds(60))
    scene.file.content = .success(FakeDocument(digest: 2))
    scene.service.reload()
    #expect(
      scene.steps == ["ready Listening", "reloading", "read", "apply 2", "log config.toml: reloaded, 2 regions", "changed to 2", "ready -"])
    #expect(scene.service.configuration.time == Scene.start + .seconds(60) && scene.service.refusedReload == nil)
    #expect(scene.messages == ["7ac3cad6f558432d81370ef72f4abae0"])
  }

  @Test func `a refused reload keeps the configuration, and is shown until a reload succeeds`() {
    let scene = Scene()
    scene.start()
    scene.steps = []
    scene.scheduler.advance(by: .seconds(60))
    scene.file.content = .failure(Failure(.config, "config.toml:1: unknown key\nconfig.toml:2: unknown key"))
    scene.service.reload()
    let reason = "config.toml:1: unknown key (and 1 more)"
    #expect(
      scene.steps == [
        "reloading", "read", "log config.toml:1: unknown key", "log config.toml:2: unknown key",
        "log config.toml: refused; keeping the previous configuration", "refusal changed",
        "ready Reload refused at 2027-01-15T08:01:00Z: \(reason); Listening",
      ])
    #expect(scene.service.refusedReload?.reason == reason && scene.service.refusedReload?.time == Scene.start + .seconds(60))
    #expect(scene.service.configuration.digest == 1 && scene.service.configuration.time == Scene.start)
    #expect(scene.messages == ["808beb8c8a9f401090b602ba3a5b0e26"])

    scene.service.check()
    scene.file.content = .success(FakeDocument(digest: 2))
    scene.steps = []
    scene.service.reload()
    #expect(scene.steps.suffix(3) == ["changed to 2", "refusal changed", "ready Listening"])
    #expect(scene.service.refusedReload == nil)
  }

  @Test func `a configuration that cannot be applied is refused, too`() {
    let scene = Scene()
    scene.start()
    scene.file.content = .success(FakeDocument(digest: 2, renamedKeys: ["\"window\" is now \"interval\""]))
    scene.obstacle = Failure(.unavailable, "port 80 is in use; choose another one")
    scene.service.reload()
    #expect(scene.service.configuration.digest == 1 && scene.service.refusedReload?.reason == "port 80 is in use; choose another one")
    #expect(scene.lines.all == ["port 80 is in use; choose another one", "config.toml: refused; keeping the previous configuration"])
    #expect(scene.steps.last == "ready Reload refused at 2027-01-15T08:00:00Z: port 80 is in use; choose another one; Listening")
  }

  @Test(arguments: [(20, 20), (21, 20), (25, 20)])
  func `the log has at most 20 problems of a refused reload, and names the command that prints all`(count: Int, logged: Int) {
    let scene = Scene()
    scene.start()
    let problems = (1...count).map { "config.toml:\($0): unknown key" }
    scene.file.content = .failure(Failure(.config, problems.joined(separator: "\n")))
    scene.service.reload()
    let more = count - logged
    let advice = more > 0 ? ["\(more) more errors; \"beaconmon config check config.toml\" prints all"] : []
    #expect(scene.lines.all == problems.prefix(logged) + advice + ["config.toml: refused; keeping the previous configuration"])
    #expect(scene.service.refusedReload?.reason == "config.toml:1: unknown key (and \(count - 1) more)")
  }

  @Test func `each reload is read and reported by itself, and the same refusal at another time changes`() {
    let scene = Scene()
    scene.start()
    scene.steps = []
    scene.service.reload()
    scene.service.reload()
    let reload = ["reloading", "read", "apply 1", "log config.toml: reloaded, 1 regions", "changed to 1", "ready -"]
    #expect(scene.steps == reload + reload)

    scene.file.content = .failure(Failure(.config, "x"))
    scene.service.reload()
    scene.scheduler.advance(by: .seconds(1))
    scene.steps = []
    scene.service.reload()
    #expect(scene.steps.suffix(2) == ["refusal changed", "ready Reload refused at 2027-01-15T08:00:01Z: x; Listening"])
  }

  @Test func `the log has each key with an old name once for each configuration, and the unit has the first`() {
    let scene = Scene(FakeDocument(digest: 1, renamedKeys: ["a", "b"]))
    scene.start()
    #expect(scene.lines.all == ["a", "b"])
    #expect(scene.steps == ["log a", "log b", "ready a (and 1 more); Listening"])
    scene.file.content = .success(FakeDocument(digest: 2, renamedKeys: ["c"]))
    scene.service.reload()
    #expect(scene.lines.all == ["a", "b", "config.toml: reloaded, 2 regions", "c"])
    #expect(scene.steps.last == "ready c; Listening")
    scene.file.content = .success(FakeDocument(digest: 3))
    scene.service.reload()
    #expect(scene.steps.last == "ready Listening" && scene.lines.all.count == 5)
  }

  @Test func `the health changes the line of the unit only after the start, and only with another text`() {
    let scene = Scene()
    var health = HealthReport()
    health.add(.adapter, .degraded, "hci0 is blocked")
    scene.health = health
    scene.service.check()
    #expect(scene.steps.isEmpty, "the program is not ready")
    scene.start()
    #expect(scene.steps == ["ready Listening"])
    scene.service.check()
    scene.service.check()
    #expect(scene.steps == ["ready Listening", "status degraded: adapter: hci0 is blocked; Listening"])
    // A reload may change the health, which the next check reports.
    scene.service.reload()
    #expect(scene.steps.last == "ready Listening")
    scene.service.check()
    #expect(scene.steps.last == "status degraded: adapter: hci0 is blocked; Listening")
    scene.steps = []
    scene.health = HealthReport()
    scene.service.check()
    scene.health = nil
    scene.service.check()
    #expect(scene.steps == ["status Listening"])
    scene.service.ready("Listening at [::1]:80")
    #expect(scene.steps.last == "ready Listening at [::1]:80")
  }

  @Test(arguments: [FakeDocument(digest: 1, rollout: 7, trial: .seconds(60)), FakeDocument(digest: 1)])
  func `the end of a trial reloads once, whether the rollout came with the start or with a reload`(first: FakeDocument) {
    let scene = Scene(first)
    scene.start()
    if first.rollout == nil {
      scene.file.content = .success(FakeDocument(digest: 2, rollout: 7, trial: .seconds(60)))
      scene.service.reload()
    }
    scene.steps = []
    scene.file.content = .success(FakeDocument(digest: 3))
    scene.scheduler.advance(by: .milliseconds(60_999))
    #expect(scene.steps.isEmpty)
    scene.scheduler.advance(by: .milliseconds(1))
    #expect(scene.steps.filter { $0 == "reloading" }.count == 1 && scene.service.configuration.digest == 3)
    scene.scheduler.advance(by: .seconds(100_000))
    #expect(scene.steps.filter { $0 == "reloading" }.count == 1)
  }

  @Test func `a refused reload at the end of a trial is not repeated`() {
    let scene = Scene(FakeDocument(digest: 1, rollout: 7, trial: .seconds(60)))
    scene.start()
    scene.file.content = .failure(Failure(.noInput, "config.toml cannot be read"))
    scene.scheduler.advance(by: .seconds(100_000))
    #expect(scene.steps.filter { $0 == "reloading" }.count == 1)
    #expect(scene.service.configuration.rollout == 7 && scene.service.refusedReload?.reason == "config.toml cannot be read")
  }
}

// MARK: Fakes

/// A configuration with as many regions as its digest.
struct FakeDocument: ReloadableDocument {
  var digest: UInt64
  var renamedKeys: [String] = []
  var rollout: Int64?
  /// The end of the trial, from the start of the scene.
  var trial: Span?

  func loaded(at time: Instant) -> LoadedConfiguration {
    var loaded = LoadedConfiguration(title: "config.toml", files: ["/etc/config.toml"], time: time, digest: digest)
    loaded.renamedKeys = renamedKeys
    (loaded.rollout, loaded.trialEnd) = (rollout, trial)
    return loaded
  }
}

private final class FakeFile: ReloadableFile {
  let path = "config.toml"
  var content: Result<FakeDocument, Failure>
  var onRead: () -> Void = {}

  init(_ document: FakeDocument) { content = .success(document) }

  func read() throws(Failure) -> FakeDocument {
    onRead()
    return try content.get()
  }

  var storedRollout: TrialWatch.Rollout? {
    guard case .success(let document) = content else { return nil }
    return TrialWatch.Rollout(revision: document.rollout ?? 0, trialEnd: document.trial)
  }
}

/// A service with its file, and the steps of its reloads in their order.
private final class Scene: UnitManager {
  static let start = Instant(microseconds: 1_800_000_000_000_000)
  let scheduler = ManualScheduler()
  let lines = LogLines()
  let file: FakeFile
  var steps: [String] = []
  var obstacle: Failure?
  var health: HealthReport?
  /// The ids of the log lines that have one.
  private(set) var messages: [String] = []
  private(set) lazy var service: ReloadService<FakeFile> = {
    let handler = Handler { [unowned self] event in
      steps.append("log \(event.message)")
      lines.logger.log(level: event.level, event.message)
      if let id = event.metadata?["MESSAGE_ID"] { messages.append("\(id)") }
    }
    let start = scheduler.now
    let service = ReloadService(
      scheduler, file, first, self, uptime: { [unowned scheduler] in scheduler.now - start }, log: Logger(label: "test") { _ in handler })
    file.onRead = { [unowned self] in steps.append("read") }
    service.onReload = { [unowned self] document throws(Failure) in
      if let obstacle { throw obstacle }
      steps.append("apply \(document.digest)")
      return "\(document.digest) regions"
    }
    service.onConfigurationChange = { [unowned self] in steps.append("changed to \(self.service.configuration.digest)") }
    service.onRefusedReloadChange = { [unowned self] in steps.append("refusal changed") }
    service.health = { [unowned self] in health }
    return service
  }()
  private let first: FakeDocument

  init(_ first: FakeDocument = FakeDocument(digest: 1)) {
    self.first = first
    file = FakeFile(first)
  }

  func start() { service.ready("Listening") }

  func reloading() { steps.append("reloading") }
  func ready(_ status: String?) { steps.append("ready \(status ?? "-")") }
  func status(_ text: String) { steps.append("status \(text)") }
}

/// Passes the lines of a log to a test.
private struct Handler: LogHandler, @unchecked Sendable {
  let body: (LogEvent) -> Void
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  init(_ body: @escaping (LogEvent) -> Void) { self.body = body }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { body(event) }
}
