import HTTPMessages
import People
import Records
import WebPage

extension FleetPage {
  private var cookieName: String { settings.isEncrypted ? "__Host-beaconmon-hub" : "beaconmon-hub" }

  func cookie(_ value: String, lasts seconds: Int) -> String {
    "\(cookieName)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)" + (settings.isEncrypted ? "; Secure" : "")
  }

  /// Whether the client of a request is the proxy, which is trusted to state the person and the address of the browser.
  private func isFromProxy(_ request: HTTPServerRequest) -> Bool {
    guard let client = request.client else { return true }
    return settings.proxy != nil && ClientAddress(client) == settings.proxy
  }

  func session(of request: HTTPServerRequest) throws(PageRefusal) -> SignIns.Session {
    let users = settings.proxyUserHeader.flatMap { isFromProxy(request) ? request.headers($0) : nil } ?? []
    // One of them may come from the browser, through a proxy that adds its own without removing others.
    guard users.count <= 1 else {
      throw PageRefusal(400, "proxy", "the request has more than one header with the person; the proxy must remove those of browsers")
    }
    if let user = users.first, !user.isEmpty {
      guard PersonName.fault(of: user) == nil else { throw PageRefusal(403, "person", "the proxy states no name of a person") }
      return SignIns.Session(proxyUser: user, secret: proxySecret)
    }
    guard let cookie = request.cookie(cookieName), cookie.utf8.count <= 128 else { throw .signedOut }
    return SignIns.Session(cookie: cookie)
  }

  func signIn(_ request: HTTPServerRequest, _ answer: @escaping (HTTPServerResponse) -> Void) throws(PageRefusal) {
    guard request.method == .post else { throw PageRefusal(405, "method", "use POST") }
    let record = try request.json()
    // A proxy appends the address of its client, to the header or as one more.
    let forwarded = isFromProxy(request) ? request.headers("X-Forwarded-For").last?.split(separator: ",").last : nil
    let address = forwarded.flatMap { ClientAddress(forwarded: $0) } ?? request.client.flatMap { ClientAddress($0) }
    let client = address?.network ?? request.client
    signIns.signIn(record["person"]?.text ?? "", record["password"]?.text ?? "", client: client) { [self] result in
      switch result {
      case .failure(let refusal): answer(refusal.response)
      case .success(let session):
        answer(
          HTTPServerResponse(
            contentType: "application/json", headers: [("Set-Cookie", cookie(session.secret, lasts: Self.longestSession))], "{}"))
      }
    }
  }

  /// The seconds after which a browser drops the cookie. The database ends sessions earlier if they are not used.
  private static let longestSession = 30 * 86_400
}
