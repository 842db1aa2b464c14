internal import CCrypto
import DeliveryScheduling
import EventLoop
import Glibc
import HTTP
import Instants

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

/// The address of a webhook, with its secrets.
public struct Endpoint {
  /// http or https.
  public var url: String
  /// Sent with every request, besides our own; no line breaks.
  public var headers: [(name: String, value: String)]
  /// Nil: requests are not signed.
  public var key: SigningKey?
  /// A file of certificate authorities in PEM that are trusted in place of the system's.
  public var certificates: String?
  /// The limit of one attempt, from the look-up of the host to the end of the answer.
  public var timeout: Span

  public init(
    url: String, headers: [(name: String, value: String)] = [], key: SigningKey? = nil, certificates: String? = nil,
    timeout: Span = .seconds(15)
  ) {
    self.url = url
    self.headers = headers
    self.key = key
    self.certificates = certificates
    self.timeout = timeout
  }
}

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

/// A symmetric secret of Standard Webhooks 1.0, "Signature scheme".
public struct SigningKey {
  private let octets: [UInt8]

  /// Reads `whsec_` and base64, or the base64 alone. Nil for anything else, and for a key that is not 24 to 64 octets long.
  public init?(_ text: String) {
    let prefix = "whsec_"
    guard let octets = Base64.octets(text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text), (24...64).contains(octets.count)
    else { return nil }
    self.octets = octets
  }

  /// The value of the header `webhook-signature`: `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`.
  ///
  /// - Parameter timestamp: seconds since the Unix epoch.
  func signature(id: String, timestamp: Int64, body: String) throws(MissingLibrary) -> String {
    "v1,\(Base64.text(try MessageAuthentication.code(of: Array("\(id).\(timestamp).\(body)".utf8), key: octets)))"
  }
}

/// Authentication codes of messages, by the libcrypto that libcurl needs anyway.
public enum MessageAuthentication {
  /// Returns the HMAC-SHA256 of a message, 32 octets. RFC 2104.
  public static func code(of message: [UInt8], key: [UInt8]) throws(MissingLibrary) -> [UInt8] {
    var library = crypto_library()
    if let problem = crypto_library_load(&library) { throw MissingLibrary(problem, package: "libssl3") }
    var code = [UInt8](repeating: 0, count: 32)
    _ = library.hmac(library.sha256(), key, Int32(key.count), message, message.count, &code, nil)
    return code
  }
}
