import EventLoop
import HTTPServer
import Instants
import LocalEndpoints
import Logging
import Metrics
import Records
import Status

/// Serves the metrics and the health of a program over HTTP at the configured endpoint, and nothing without one.
///
/// Values are read when a client asks for them. Clients within a second share an answer, so that many of them cost no more than one.
public final class MetricsExporter {
  /// The time for which an answer is valid.
  private static let validity = Span.seconds(1)

  private let loop: Loop
  private let log: Logger
  private let collect: () -> (metrics: MetricSet, health: HealthReport)
  private var endpoint: LocalEndpoint?
  private var server: HTTPServer?
  private var answer: (metrics: String, health: HealthReport)?
  /// The last failure in the log.
  private var loggedFailure: String?
  private var backoff = Backoff(from: .seconds(5), to: .seconds(60))
  private lazy var retry = loop.timer { [unowned self] in open() }
  private lazy var expiry = loop.timer { [unowned self] in answer = nil }

  /// - Parameter collect: returns the present values.
  public init(_ loop: Loop, log: Logger, collect: @escaping () -> (metrics: MetricSet, health: HealthReport)) {
    (self.loop, self.log, self.collect) = (loop, log, collect)
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
    retry.disarm()
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
    do throws(HTTPServerError) {
      server = try HTTPServer(loop, at: endpoint) { [unowned self] in respond(to: $0) }
      log.info("metrics are served at \(endpoint)")
      backoff.reset()
    } catch {
      if error.description != loggedFailure { log.warning("metrics: \(error); retrying") }
      loggedFailure = error.description
      retry.arm(after: &backoff)
    }
  }

  private func respond(to request: HTTPServerRequest) -> HTTPServerResponse {
    switch request.path {
    case "/metrics": return HTTPServerResponse(contentType: MetricSet.contentType, current.metrics)
    case "/health":
      let health = current.health
      return HTTPServerResponse(status: health.state == .failed ? 503 : 200, contentType: "application/json", health.record.json + "\n")
    default: return HTTPServerResponse(status: 404, "not found; the paths are /metrics and /health\n")
    }
  }

  private var current: (metrics: String, health: HealthReport) {
    if let answer { return answer }
    let (metrics, health) = collect()
    let answer = (metrics.text, health)
    self.answer = answer
    expiry.arm(after: Self.validity)
    return answer
  }
}
