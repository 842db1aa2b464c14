public import Addresses
public import EventLoop
public import Geocoding
import HTTP
import Instants
import Locations

/// A server with the interface of Nominatim, over HTTP. It loads libcurl with the first query.
public final class NominatimServer: AddressServer {
  /// The time after the last query after which connections are closed.
  private static let idleTime = Span.seconds(120)
  /// The drop-in that permits the unit of the service to use the network.
  private static let dropIn = "/usr/share/beaconmon/geocoding.conf"
  /// The limit for one query.
  private static let timeout = Span.seconds(10)

  public let name: String
  private let loop: Loop
  private let userAgent: String
  private var client: HTTPClient?
  private lazy var idle = loop.timer { [unowned self] in client = nil }

  /// - Parameters:
  ///   - url: the address of the server, without the path of a query.
  ///   - userAgent: identifies this program, as the usage policy of Nominatim demands.
  public init(_ loop: Loop, url: String, userAgent: String) {
    self.loop = loop
    self.userAgent = userAgent
    var name = url
    while name.hasSuffix("/") { name.removeLast() }
    self.name = name
  }

  public func send(_ query: AddressQuery, completion: @escaping (AddressAnswer) -> Void) {
    let client = client ?? HTTPClient(loop)
    self.client = client
    idle.disarm()
    // A later header takes precedence over that of libcurl.
    let request = HTTPRequest(
      url: name + query.path, headers: [("User-Agent", userAgent), ("Accept", "application/json")], timeout: Self.timeout)
    client.receive(request, atMost: PostalAddress.mostOctets) { [weak self] answer, body in
      self?.idle.arm(after: Self.idleTime)
      completion(Self.answer(answer, body, query))
    }
  }

  private static func answer(_ answer: HTTPAnswer, _ body: [UInt8], _ query: AddressQuery) -> AddressAnswer {
    switch answer {
    case .failure(let reason):
      // Without IP sockets, no name can be resolved either.
      let isolated = "the service has no access to the network; install the drop-in \(dropIn)"
      return .failed(ServiceUnit.hasNetwork ? reason : isolated, retryAfter: nil)
    case .status(200, _):
      do throws(AddressAnswerError) {
        return .address(try PostalAddress.read(nominatim: body, precision: query.precision))
      } catch {
        return .failed(error.description, retryAfter: nil)
      }
    case .status(let status, let pause): return .failed("HTTP status \(status)", retryAfter: pause)
    }
  }
}
