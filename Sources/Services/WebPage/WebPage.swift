public import HTTPMessages
import Instants
public import LocalEndpoints
import Records
public import WebAccess

/// Answers the requests of browsers: files for everyone, and data for logins.
///
/// A request must name this host (against DNS rebinding). One that changes something must come from a page of this origin and contain the
/// form token of its session.
public final class WebPage {
  public struct Settings: Hashable, Sendable {
    /// The host names of the page, in lower case, besides those of this machine.
    public var hosts: Set<String> = []
    /// Whether browsers reach the page over TLS, so that the cookie may require that.
    public var isEncrypted = false
    /// The header in which a trusted proxy names the user; nil without such a proxy.
    public var proxyUserHeader: String?
    /// The users of the proxy that may change venues.
    public var editors: Set<String> = []
    public var version = ""
    /// The language of the configuration; nil for that of the browser.
    public var language: String?

    public init() {}
  }

  public var settings: Settings
  let access: WebAccess
  let feed: LiveFeed
  let queries: any PageQueries
  let files: any PageFiles
  private let routes: [String: PageRoute]

  static let cookie = "beaconmon-web"

  /// Returns the limits of the server of the page at an endpoint.
  public static func limits(at endpoint: ServerEndpoint) -> HTTPServerLimits {
    var limits = HTTPServerLimits()
    (limits.connections, limits.idle, limits.duration) = (256, .seconds(10), .seconds(60))
    // On the loopback interface all clients have one address, and behind a proxy, too.
    if case .network = endpoint { limits.connectionsOfAddress = 48 }
    // The text of a venue.
    limits.contentSize = 4 << 20
    return limits
  }

  /// The headers of every response.
  public static let headers: [(name: String, value: String)] = [
    ("Content-Security-Policy", policy), ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
  ]
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'
    """

  public init(
    _ access: WebAccess, _ feed: LiveFeed, _ queries: any PageQueries, _ files: any PageFiles, _ drawings: any VenueDrawings,
    _ maps: any ErrorMaps, _ settings: Settings
  ) {
    (self.access, self.feed, self.queries, self.files, self.settings) = (access, feed, queries, files, settings)
    let all =
      PageRoute.placeRoutes(queries, files, maps) + PageRoute.journalRoutes(queries) + PageRoute.editorRoutes(queries, drawings)
    self.routes = Dictionary(all.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    feed.isLoginValid = { [access] in access.use($0) != nil }
  }

  public var viewerCount: Int { feed.viewerCount }

  /// Answers a request.
  ///
  /// - Parameter answer: takes one response, perhaps later.
  public func respond(to request: HTTPServerRequest, _ answer: @escaping (HTTPServerResponse) -> Void) {
    do throws(PageRefusal) {
      guard let host = request.header("Host")?.lowercased(), isOwn(host) else { throw .foreignHost }
      guard request.path.hasPrefix("/api/") else {
        guard request.method != .post else { throw PageRefusal(405, "method", "files are read with GET") }
        return answer(files.response(to: request))
      }
      try request.checkOrigin(host)
      switch (request.path, request.method) {
      case ("/api/login", .post): answer(try login(request))
      case ("/api/login", _), ("/api/logout", .get), ("/api/logout", .head): throw PageRefusal(405, "method", "use POST")
      default: try respond(to: request, session(of: request), answer)
      }
    } catch {
      answer(error.response)
    }
  }

  private func respond(
    to request: HTTPServerRequest, _ session: WebAccess.Session, _ answer: @escaping (HTTPServerResponse) -> Void
  ) throws(PageRefusal) {
    if request.method == .post, !access.permits(session, formToken: request.header("X-Form-Token")) { throw .wrongFormToken }
    switch request.path {
    case "/api/session": answer(describe(session))
    case "/api/logout":
      access.logout(session)
      feed.end(login: session.id)
      answer(HTTPServerResponse(status: 204, headers: [("Set-Cookie", cookie("", lasts: 0))], ""))
    case "/api/live":
      let last = request.header("Last-Event-ID") ?? request.argument("after")
      guard let stream = feed.open(login: session.id, after: last) else {
        throw PageRefusal(429, "viewers", "too many pages are open; close some of them")
      }
      answer(HTTPServerResponse(events: stream))
    default:
      guard let route = routes[request.path] else { throw .noRoute }
      guard (request.method == .post) == route.isChange else { throw PageRefusal(405, "method", "use \(route.isChange ? "POST" : "GET")") }
      guard route.role == .view || session.role == .edit else { throw .viewer }
      try route.answer(request) { result in
        switch result {
        case .success(let response): answer(response)
        case .failure(let refusal): answer(refusal.response)
        }
      }
    }
  }

  // MARK: Origin

  /// Whether the value of a Host header names this page.
  private func isOwn(_ host: String) -> Bool {
    let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
    if settings.hosts.contains(name) || name == "localhost" || name == "[::1]" { return true }
    return name.hasPrefix("127.") && name.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
  }

  // MARK: Logins

  private func login(_ request: HTTPServerRequest) throws(PageRefusal) -> HTTPServerResponse {
    let token = try request.json()["token"]?.text ?? ""
    let session: WebAccess.Session
    do throws(WebAccess.LoginFailure) { session = try access.login(token) } catch {
      switch error {
      case .wrong:
        throw PageRefusal(
          401, "token", "the token is wrong, was used or is too old; \"beaconmon web login\" on the device prints a new one")
      case .tooManyAttempts: throw PageRefusal(429, "attempts", "too many wrong tokens; wait a minute")
      }
    }
    return HTTPServerResponse(
      contentType: "application/json", headers: [("Set-Cookie", cookie(session.cookie, lasts: access.longestSession))],
      Record(["role": .text(session.role.rawValue)]).json)
  }

  private func session(of request: HTTPServerRequest) throws(PageRefusal) -> WebAccess.Session {
    if let header = settings.proxyUserHeader, let user = request.header(header), !user.isEmpty {
      return access.session(ofProxyUser: user, settings.editors.contains(user) ? .edit : .view)
    }
    guard let cookie = request.cookie(Self.cookie), let session = access.session(cookie) else { throw .noSession }
    return session
  }

  private func describe(_ session: WebAccess.Session) -> HTTPServerResponse {
    HTTPServerResponse(
      contentType: "application/json",
      Record([
        "role": .text(session.role.rawValue), "formToken": .text(session.formToken), "version": .text(settings.version),
        "language": settings.language.map { .text($0) },
      ]).json)
  }

  private func cookie(_ value: String, lasts seconds: Int) -> String {
    "\(Self.cookie)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)" + (settings.isEncrypted ? "; Secure" : "")
  }
}
