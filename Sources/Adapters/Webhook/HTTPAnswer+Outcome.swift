import DeliveryScheduling
import HTTP
import Instants

extension HTTPAnswer {
  /// The outcome of a delivery, by Standard Webhooks 1.0, "Delivery success and failure".
  ///
  /// A 2xx is success. Every other answer is tried again, except those that refuse this very message.
  var outcome: DeliveryOutcome {
    switch self {
    case .status(200..<300, _): .delivered
    case .status(let status, _) where Self.refusals.contains(status): .refused("the server answered \(status)")
    case .status(let status, _) where (300..<400).contains(status):
      .failed("the server answered \(status), and redirections are not followed; set url to the new address")
    case .status(let status, let retryAfter): .failed("the server answered \(status)", retryAfter: retryAfter)
    case .failure(let reason): .failed(reason)
    }
  }

  /// Bad Request, Content Too Large, Unsupported Media Type, Unprocessable Content (RFC 9110, section 15.5).
  private static let refusals: Set = [400, 413, 415, 422]
}
