import EventLoop
import Instants

/// Sends requests over HTTP and HTTPS, on the loop. Loads libcurl with the first request.
///
/// Connections stay open for the next request. Releasing the client ends the open requests without a completion.
public final class HTTPClient {
  private let loop: Loop
  private var transfers: HTTPTransfers?

  public init(_ loop: Loop) {
    self.loop = loop
  }

  /// Sends a request.
  ///
  /// - Parameter completion: called later, from the loop.
  public func send(_ request: HTTPRequest, completion: @escaping (HTTPAnswer) -> Void) {
    receive(request, atMost: nil) { answer, _ in completion(answer) }
  }

  /// Sends a request, and takes the body of its answer. Redirections are not followed.
  ///
  /// - Parameters:
  ///   - octets: the maximum number of octets of the body; a longer one is a failure. Nil skips the body.
  ///   - completion: called later, from the loop.
  public func receive(_ request: HTTPRequest, atMost octets: Int?, completion: @escaping (HTTPAnswer, [UInt8]) -> Void) {
    do throws(MissingLibrary) {
      try readyTransfers().begin(request, atMost: octets, completion: completion)
    } catch {
      loop.enqueue { completion(.failure(error.description), []) }
    }
  }

  private func readyTransfers() throws(MissingLibrary) -> HTTPTransfers {
    if let transfers { return transfers }
    let transfers = try HTTPTransfers(loop)
    self.transfers = transfers
    return transfers
  }
}

/// A POST, or a GET if it has no body.
public struct HTTPRequest {
  /// http or https.
  public var url: String
  /// Names and values without line breaks.
  public var headers: [(name: String, value: String)]
  /// Nil for a GET.
  public var body: String?
  /// A file of certificate authorities in PEM that are trusted in place of the system's.
  public var certificates: String?
  /// The limit from the look-up of the host to the end of the answer.
  public var timeout: Span

  public init(
    url: String, headers: [(name: String, value: String)] = [], body: String? = nil, certificates: String? = nil,
    timeout: Span = .seconds(15)
  ) {
    self.url = url
    self.headers = headers
    self.body = body
    self.certificates = certificates
    self.timeout = timeout
  }
}

/// The result of one request.
public enum HTTPAnswer: Hashable, Sendable {
  /// - Parameter retryAfter: the header of that name, which is a span or a date.
  case status(Int, retryAfter: Span?)
  /// No answer: the reason in libcurl's words, which name the host but nothing secret.
  case failure(String)
}
