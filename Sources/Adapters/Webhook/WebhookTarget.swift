import Deliveries
import EventLoop
import Glibc

/// Sends each event as a POST with its JSON, with the headers of Standard Webhooks 1.0.
public final class WebhookTarget: DeliveryTarget {
  private let loop: Loop
  private let endpoint: Endpoint
  private var client: HTTPClient?

  /// Loads libcurl with the first delivery.
  public init(_ loop: Loop, to endpoint: Endpoint) {
    self.loop = loop
    self.endpoint = endpoint
  }

  public func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    do throws(MissingLibrary) {
      let client = try readyClient()
      let headers = try headers(of: delivery)
      client.post(to: endpoint, headers: headers, body: delivery.json) { completion($0.outcome) }
    } catch {
      loop.enqueue { completion(.failed(error.description)) }
    }
  }

  private func readyClient() throws(MissingLibrary) -> HTTPClient {
    if let client { return client }
    let client = try HTTPClient(loop)
    self.client = client
    return client
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
