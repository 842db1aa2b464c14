import Instants
import LocalEndpoints
import Metrics
import Records
import Status
import TestSupport
import Testing

@testable import MetricsService

/// The endpoint of metrics on a manual clock.
@Suite struct MetricsServiceTests {
  private final class FakeServer: MetricsServer {
    var isReachable = true
    let respond: (String) -> MetricsResponse

    init(_ respond: @escaping (String) -> MetricsResponse) { self.respond = respond }
  }

  private final class Scene {
    static let socket = LocalEndpoint.socket(path: "/run/metrics", access: .group)
    static let port = LocalEndpoint.port(.ipv6, 9100)
    let scheduler = ManualScheduler()
    let lines = LogLines()
    weak var server: FakeServer?
    /// The endpoints at which a server was or should be started.
    var attempts: [LocalEndpoint] = []
    var failure: String?
    var collections = 0
    var health = HealthReport()
    private(set) lazy var service = MetricsService(scheduler, log: lines.logger) { [unowned self] in
      collections += 1
      var metrics = MetricSet()
      metrics.add(health)
      return (metrics, health)
    } start: { [unowned self] (endpoint, respond) throws(MetricsServerFailure) in
      attempts.append(endpoint)
      if let failure { throw MetricsServerFailure(failure) }
      let server = FakeServer(respond)
      self.server = server
      return server
    }

    func get(_ path: String) -> MetricsResponse? { server?.respond(path) }
  }

  @Test func `without an endpoint nothing is started, and a removed endpoint ends the server`() {
    let scene = Scene()
    scene.service.listen(at: nil)
    #expect(scene.attempts.isEmpty && scene.lines.all.isEmpty)
    scene.service.listen(at: Scene.socket)
    #expect(scene.server != nil && scene.lines.all == ["metrics are served at \(Scene.socket)"])
    scene.service.listen(at: nil)
    #expect(scene.server == nil)
    scene.service.check()
    scene.scheduler.advance(by: .seconds(3600))
    #expect(scene.attempts == [Scene.socket])
  }

  @Test func `a reload keeps an endpoint that works, and moves to another one`() {
    let scene = Scene()
    scene.service.listen(at: Scene.socket)
    scene.service.listen(at: Scene.socket)
    #expect(scene.attempts == [Scene.socket])
    scene.service.listen(at: Scene.port)
    #expect(scene.attempts == [Scene.socket, Scene.port])
  }

  @Test func `an endpoint that fails is retried with growing pauses, each reason is logged once, and a reload retries at once`() {
    let scene = Scene()
    scene.failure = "in use"
    scene.service.listen(at: Scene.port)
    scene.scheduler.advance(by: .seconds(600))
    #expect((8...20).contains(scene.attempts.count), "\(scene.attempts.count)")
    #expect(scene.lines.all == ["metrics: in use; retrying"])
    scene.failure = "no network"
    scene.scheduler.advance(by: .seconds(120))
    #expect(scene.lines.all.last == "metrics: no network; retrying" && scene.lines.all.count == 2)
    let count = scene.attempts.count
    scene.service.listen(at: Scene.port)
    #expect(scene.attempts.count == count + 1)
    scene.failure = nil
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.server != nil)
    scene.scheduler.advance(by: .seconds(600))
    #expect(scene.attempts.count == count + 2)
  }

  @Test func `another endpoint ends the retries of the one that failed`() {
    let scene = Scene()
    scene.failure = "in use"
    scene.service.listen(at: Scene.port)
    scene.failure = nil
    scene.service.listen(at: Scene.socket)
    scene.scheduler.advance(by: .seconds(600))
    #expect(scene.attempts == [Scene.port, Scene.socket])
  }

  @Test func `a check serves again after the file of the socket has gone, and does nothing otherwise`() {
    let scene = Scene()
    scene.service.listen(at: Scene.socket)
    scene.service.check()
    #expect(scene.attempts.count == 1)
    scene.server?.isReachable = false
    scene.service.check()
    #expect(scene.attempts.count == 2 && scene.server?.isReachable == true)
    #expect(scene.lines.all[1] == "metrics: \(Scene.socket) is gone; listening there again")
  }

  @Test func `clients within a second share one collection`() {
    let scene = Scene()
    scene.service.listen(at: Scene.port)
    #expect(scene.collections == 0)
    let first = scene.get("/metrics")
    scene.scheduler.advance(by: .milliseconds(999))
    #expect(scene.get("/metrics") == first && scene.get("/health") != nil && scene.collections == 1)
    scene.scheduler.advance(by: .milliseconds(1))
    _ = scene.get("/health")
    #expect(scene.collections == 2)
  }

  @Test func `the status of the health is 503 after a failure, and unknown paths name the known ones`() {
    let scene = Scene()
    scene.service.listen(at: Scene.port)
    #expect(scene.get("/metrics")?.contentType == MetricSet.contentType)
    scene.health.add(.clock, .degraded, "not synchronised")
    #expect(scene.get("/health")?.status == 200)
    scene.health = HealthReport(unreachable: "gone")
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.get("/health")?.status == 503 && scene.get("/health")?.contentType == "application/json")
    #expect(scene.get("/health")?.body == scene.health.record.json + "\n")
    #expect(scene.get("/other")?.status == 404 && scene.get("/other")?.body.contains("/metrics") == true)
  }
}
