import DeliveryScheduling
import EventLoop
import Glibc
import HTTP

/// Sends each event as a POST with its JSON, with the headers of Standard Webhooks 1.0.
public final class WebhookTarget: DeliveryTarget {
  private let loop: Loop
  private let endpoint: Endpoint
  private let client: HTTPClient

  public init(_ loop: Loop, to endpoint: Endpoint) {
    self.loop = loop
    self.endpoint = endpoint
    client = HTTPClient(loop)
  }

  public func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    do throws(MissingLibrary) {
      let request = HTTPRequest(
        url: endpoint.url, headers: try headers(of: delivery), body: delivery.json, certificates: endpoint.certificates,
        timeout: endpoint.timeout)
      client.send(request) { completion($0.outcome) }
    } catch {
      loop.enqueue { completion(.failed(error.description)) }
    }
  }

  private func headers(of delivery: Delivery) throws(MissingLibrary) -> [(name: String, value: String)] {
    let timestamp = Int64(time(nil))
    var headers = [
      (name: "Content-Type", value: "application/json"), (name: "webhook-id", value: delivery.message),
      (name: "webhook-timestamp", value: "\(timestamp)"),
    ]
    if let key = endpoint.key {
      let signature = try key.signature(id: delivery.message, timestamp: timestamp, body: delivery.json)
      headers.append((name: "webhook-signature", value: signature))
    }
    return headers + endpoint.headers
  }
}
