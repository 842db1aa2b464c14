import EventLoop
import HTTPMessages
import HTTPServer
import LocalEndpoints
import Logging
import Metrics
import MetricsService
import Status

extension HTTPServer: MetricsServer {}

extension MetricsService {
  /// Creates a service that answers over HTTP.
  ///
  /// - Parameter collect: returns the present values.
  public convenience init(_ loop: Loop, log: Logger, collect: @escaping () -> (metrics: MetricSet, health: HealthReport)) {
    self.init(loop, log: log, collect: collect) { (endpoint, respond) throws(MetricsServerFailure) in
      do throws(HTTPServerError) {
        return try HTTPServer(loop, at: .local(endpoint)) { request, answer in
          let response = respond(request.path)
          answer(HTTPServerResponse(status: response.status, contentType: response.contentType, response.body))
        }
      } catch {
        throw MetricsServerFailure("\(error)")
      }
    }
  }
}
