import FleetQueries
public import HTTPMessages
public import People
import Records
import WebPage

/// Answers the requests of browsers: files for everyone, and data of the fleet for people with a role.
public final class FleetPage {
  public struct Settings: Hashable, Sendable {
    /// The host of the page's public address, in lower case and without a port.
    public var host = "localhost"
    /// Whether browsers reach the page over TLS, so that the cookie may require that.
    public var isEncrypted = false
    /// The header in which a proxy names the person; nil without such a proxy.
    public var proxyUserHeader: String?
    /// The numeric address of the proxy; nil trusts clients of a Unix socket alone.
    public var proxy: ClientAddress?
    public var version = ""

    public init() {}
  }

  /// The largest content of a request in octets: a sign-in or a name.
  public static let largestContent = 4096

  let settings: Settings
  let signIns: SignIns
  private let archive: any FleetArchive
  private let feed: ChangeFeed
  private let files: (HTTPServerRequest) -> HTTPServerResponse
  private let routes: [String: FleetRoute]
  let proxySecret: String
  /// The maximum number of questions of a person that wait for the database, and their counts.
  static let mostQuestions = 8
  private var questions: [Int32: Int] = [:]

  /// - Parameters:
  ///   - files: Answers a request for a file.
  ///   - makeSecret: Returns a new random text that cannot be guessed.
  public init(
    _ settings: Settings, _ signIns: SignIns, _ archive: any FleetArchive, _ feed: ChangeFeed,
    files: @escaping (HTTPServerRequest) -> HTTPServerResponse, makeSecret: () -> String
  ) {
    (self.settings, self.signIns, self.archive, self.feed, self.files) = (settings, signIns, archive, feed, files)
    routes = Dictionary(FleetRoute.all.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    proxySecret = makeSecret()
  }

  /// Answers a request.
  ///
  /// - Parameter answer: Takes one response, perhaps later.
  public func respond(to request: HTTPServerRequest, _ answer: @escaping (HTTPServerResponse) -> Void) {
    do throws(PageRefusal) {
      guard let host = request.header("Host")?.lowercased(), isOwn(host) else {
        throw PageRefusal(403, "host", "the request names another host than the address of the page, which --url states")
      }
      guard request.path.hasPrefix("/api/") else {
        guard request.method != .post else { throw PageRefusal(405, "method", "files are read with GET") }
        return answer(files(request))
      }
      try request.checkOrigin(host)
      if request.path == "/api/login" { return try signIn(request, answer) }
      try respond(to: request, session(of: request), answer)
    } catch {
      answer(error.response)
    }
  }

  /// Whether the value of a Host header names this page (against DNS rebinding).
  private func isOwn(_ host: String) -> Bool {
    let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
    return name == settings.host || name == "localhost" || name == "127.0.0.1" || name == "[::1]"
  }

  private func respond(
    to request: HTTPServerRequest, _ session: SignIns.Session, _ answer: @escaping (HTTPServerResponse) -> Void
  ) throws(PageRefusal) {
    if request.method == .post, !session.permits(formToken: request.header("X-Form-Token")) { throw .wrongFormToken }
    // The request is only valid until this call returns.
    let prepared = try prepare(request)
    archive.person(of: session.login) { [self] found in
      do throws(PageRefusal) {
        guard let person = try found.get() else {
          if case .proxy(let name) = session.login {
            throw PageRefusal(
              403, "person", "\(name) is unknown here; an administrator adds the person with \"beaconmon-hub admin person add\"")
          }
          throw .signedOut
        }
        try perform(prepared, as: person, session, answer)
      } catch {
        answer(error.response)
      }
    }
  }

  /// A request after its texts have been read.
  private enum Prepared {
    case describe
    case live
    case signOut
    case read(FleetRoute, list: String, site: String?, (FleetScope, Person) throws(PageRefusal) -> FleetQuery)
    case change(FleetRoute, site: String?, (FleetScope) throws(PageRefusal) -> FleetChange)
  }

  private func prepare(_ request: HTTPServerRequest) throws(PageRefusal) -> Prepared {
    let isChange = request.method == .post
    switch (request.path, isChange) {
    case ("/api/session", false): return .describe
    case ("/api/live", false): return .live
    case ("/api/logout", true): return .signOut
    case ("/api/session", _), ("/api/live", _), ("/api/logout", _): throw PageRefusal(405, "method", "use \(isChange ? "GET" : "POST")")
    default: break
    }
    guard let route = routes[request.path] else { throw .noRoute }
    switch route.action {
    case .read(let list, let query):
      guard !isChange else { throw PageRefusal(405, "method", "use GET") }
      let names = ["beyond", "from", "major", "minor", "room", "text", "uuid"]
      let arguments = Dictionary(uniqueKeysWithValues: names.compactMap { name in request.argument(name).map { (name, $0) } })
      return .read(route, list: list, site: request.argument("site")) { (scope, person) throws(PageRefusal) in
        try query(FleetRoute.Parameters(person: person.id) { arguments[$0] }, scope)
      }
    case .change(let change):
      guard isChange else { throw PageRefusal(405, "method", "use POST") }
      let record = try request.json()
      return .change(route, site: record["site"]?.text) { (scope) throws(PageRefusal) in try change(record, scope) }
    }
  }

  private func perform(
    _ request: Prepared, as person: Person, _ session: SignIns.Session, _ answer: @escaping (HTTPServerResponse) -> Void
  ) throws(PageRefusal) {
    switch request {
    case .describe: answer(describe(person, session))
    case .signOut:
      signIns.signOut(session) { [self] result in
        feed.end(session.login)
        switch result {
        case .success: answer(HTTPServerResponse(status: 204, headers: [("Set-Cookie", cookie("", lasts: 0))], ""))
        case .failure(let refusal): answer(refusal.response)
        }
      }
    case .live:
      guard let stream = feed.open(session.login, person) else {
        throw PageRefusal(429, "viewers", "too many pages are open; close some of them")
      }
      answer(HTTPServerResponse(events: stream))
    case .read(let route, let list, let site, let query):
      let query = try query(person.allowedScope(of: route.right, site: site), person)
      try begin(of: person)
      archive.read(query, by: person) { [self] result in
        end(of: person)
        answer(result.page(list))
      }
    case .change(let route, let site, let change):
      let change = try change(person.allowedScope(of: route.right, site: site))
      try begin(of: person)
      archive.make(change, by: person) { [self] result in
        end(of: person)
        switch result {
        case .success(.done): answer(HTTPServerResponse(status: 204, ""))
        case .success(.notFound): answer(PageRefusal(404, "not-found", "there is no such tag, person or share").response)
        case .success(.denied): answer(PageRefusal(403, "role", "your role at the site has just been changed or revoked").response)
        case .success(.administrator): answer(PageRefusal.administrator.response)
        case .success(.tooMany): answer(PageRefusal.shares.response)
        case .failure(let refusal): answer(refusal.response)
        }
      }
    }
  }

  /// Counts a question of a person, so that one cannot fill the queue of all.
  private func begin(of person: Person) throws(PageRefusal) {
    guard questions[person.id, default: 0] < Self.mostQuestions else {
      throw PageRefusal(429, "questions", "\(Self.mostQuestions) of your requests wait for the database; try again in a few seconds")
    }
    questions[person.id, default: 0] += 1
  }

  private func end(of person: Person) {
    let left = questions[person.id, default: 1] - 1
    questions[person.id] = left > 0 ? left : nil
  }

  private func describe(_ person: Person, _ session: SignIns.Session) -> HTTPServerResponse {
    let sites = person.sites.sorted { $0.key < $1.key }.map { Record(["site": .text($0.key), "role": .text($0.value.role.rawValue)]) }
    let isProxy = if case .proxy = session.login { true } else { false }
    return .json(
      Record([
        "person": .text(person.name), "isAdministrator": .flag(person.isAdministrator), "sites": .list(sites),
        "formToken": .text(session.formToken), "isProxy": .flag(isProxy), "version": .text(settings.version),
      ]))
  }
}

extension Person {
  fileprivate func allowedScope(of right: FleetRight, site: String?) throws(PageRefusal) -> FleetScope {
    do throws(FleetDenial) { return try scope(of: right, site: site) } catch {
      switch error {
      case .noSite: throw .missing("site")
      case .unknownSite: throw PageRefusal(404, "site", "there is no such site, or you have no role there")
      case .role(let needed):
        throw PageRefusal(403, "role", "this needs the role \(needed.rawValue) at the site; an owner of the site grants it")
      }
    }
  }
}

extension Result where Success == [ArchiveRow], Failure == PageRefusal {
  /// Returns a page of rows. `next` is the key for the next page, which may be empty.
  fileprivate func page(_ list: String) -> HTTPServerResponse {
    switch self {
    case .failure(let refusal): return refusal.response
    case .success(let rows):
      let next = rows.count >= FleetRoute.rows ? rows.last.map { ",\"next\":\($0.key.asJSON)" } : nil
      return HTTPServerResponse(contentType: "application/json", "{\"\(list)\":[\(rows.map(\.json).joined(separator: ","))]\(next ?? "")}")
    }
  }
}
