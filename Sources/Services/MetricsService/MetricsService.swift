import Instants
import LocalEndpoints
import Logging
import Metrics
import Records
import Scheduling
import Status

/// Serves the metrics and the health of a program at the configured endpoint, and nothing without one.
///
/// Values are read when a client asks for them. Clients within a second share an answer, so that many of them cost no more than one.
public final class MetricsService {
  /// Starts a server whose requests have a path each.
  public typealias Opener = (LocalEndpoint, @escaping (String) -> MetricsResponse) throws(MetricsServerFailure) -> any MetricsServer

  /// The time for which an answer is valid.
  static let validity = Span.seconds(1)

  private let scheduler: any Scheduler
  private let log: Logger
  private let start: Opener
  private let collect: () -> (metrics: MetricSet, health: HealthReport)
  private var endpoint: LocalEndpoint?
  private var server: (any MetricsServer)?
  private var answer: (metrics: String, health: HealthReport)?
  /// The last failure in the log.
  private var loggedFailure: String?
  private var backoff = Backoff(from: .seconds(5), to: .seconds(60))
  private var retry: (any SchedulerTimer)?
  private var expiry: (any SchedulerTimer)?

  /// - Parameters:
  ///   - collect: returns the present values.
  ///   - start: starts a server.
  public init(
    _ scheduler: any Scheduler, log: Logger, collect: @escaping () -> (metrics: MetricSet, health: HealthReport), start: @escaping Opener
  ) {
    (self.scheduler, self.log, self.collect, self.start) = (scheduler, log, collect, start)
    retry = scheduler.timer { [unowned self] in open() }
    expiry = scheduler.timer { [unowned self] in answer = nil }
  }

  /// Listens at another endpoint, or nowhere.
  ///
  /// An endpoint that works stays as it is, and one that fails is retried until it works.
  public func listen(at endpoint: LocalEndpoint?) {
    if endpoint == self.endpoint, endpoint == nil || server?.isReachable == true { return }
    self.endpoint = endpoint
    server = nil
    loggedFailure = nil
    backoff.reset()
    retry?.arm(at: .never)
    open()
  }

  /// Listens again if another program has removed or replaced the file of the socket.
  public func check() {
    guard let endpoint, let server, !server.isReachable else { return }
    log.warning("metrics: \(endpoint) is gone; listening there again")
    listen(at: endpoint)
  }

  private func open() {
    guard let endpoint else { return }
    do throws(MetricsServerFailure) {
      server = try start(endpoint) { [unowned self] in respond(to: $0) }
      log.info("metrics are served at \(endpoint)")
      backoff.reset()
    } catch {
      if error.reason != loggedFailure { log.warning("metrics: \(error.reason); retrying") }
      loggedFailure = error.reason
      var random = SystemRandomNumberGenerator()
      retry?.arm(at: scheduler.now + backoff.next(using: &random))
    }
  }

  private func respond(to path: String) -> MetricsResponse {
    switch path {
    case "/metrics": return MetricsResponse(contentType: MetricSet.contentType, current.metrics)
    case "/health":
      let health = current.health
      return MetricsResponse(status: health.state == .failed ? 503 : 200, contentType: "application/json", health.record.json + "\n")
    default: return MetricsResponse(status: 404, "not found; the paths are /metrics and /health\n")
    }
  }

  private var current: (metrics: String, health: HealthReport) {
    if let answer { return answer }
    let (metrics, health) = collect()
    let answer = (metrics.text, health)
    self.answer = answer
    expiry?.arm(at: scheduler.now + Self.validity)
    return answer
  }
}
