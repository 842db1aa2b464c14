import FleetQueries
import HTTPMessages
import Instants
import People
import Testing

@testable import FleetPage

@Suite struct FleetPageTests {
  private let archive = FakeArchive()
  private let passwords = FakePasswords()
  private let page: FleetPage
  private let scheduler = ManualScheduler()

  init() {
    var settings = FleetPage.Settings()
    (settings.host, settings.isEncrypted, settings.proxyUserHeader, settings.proxy) = (
      "fleet.example", true, "X-User", ClientAddress("192.0.2.9")
    )
    page = FleetPage(
      settings, SignIns(scheduler, archive, passwords) { "secret" }, archive, ChangeFeed(scheduler, archive),
      files: { _ in HTTPServerResponse("file") }
    ) { "proxy secret" }
    archive.persons = [
      .proxy("ada"): Person(id: 1, name: "ada", sites: ["a": SiteMembership(site: 1, role: .viewer)]),
      .proxy("olga"): Person(id: 2, name: "olga", sites: ["a": SiteMembership(site: 1, role: .owner)]),
    ]
  }

  private static let arguments = ["uuid": "8ec76ea3-6668-48da-9866-75be8bc86f4d", "major": "1", "minor": "5", "text": "5"]

  /// Sends a request as a person whom the proxy names, and returns the status and the answer.
  private func send(
    _ route: String, as person: String, site: String? = nil, content: String? = nil, client: String? = "192.0.2.9",
    _ headers: [String: String] = [:]
  ) -> (status: Int, text: String) {
    var arguments = Self.arguments
    arguments["site"] = site
    let all = [
      "Host": "fleet.example", "X-User": person, "Origin": "https://fleet.example", "Content-Type": "application/json",
      "X-Form-Token": SignIns.Session(proxyUser: person, secret: "proxy secret").formToken,
    ].merging(headers) { $1 }
    let request = HTTPServerRequest(
      method: content == nil ? .get : .post, path: route, content: Array((content ?? "").utf8), client: client,
      findHeader: { all[$0] }, findArgument: { arguments[$0] })
    var answer: (Int, String) = (0, "no answer")
    page.respond(to: request) { response in
      if case .text(let text) = response.body { answer = (response.status, text) } else { answer = (response.status, "") }
    }
    return answer
  }

  /// The content of a change, which names a site.
  private func content(of route: FleetRoute, site: String) -> String? {
    guard case .change = route.action else { return nil }
    return """
      {"site":"\(site)","uuid":"8ec76ea3-6668-48da-9866-75be8bc86f4d","major":1,"minor":5,"name":"x","person":"ada","role":"viewer",
      "id":"8ec76ea3-6668-48da-9866-75be8bc86f4d","accepted":true,"recipients":"olga device:hall","purpose":"my bag","seconds":600}
      """
  }

  @Test(arguments: FleetRoute.all.map(\.path), ["ada", "olga"])
  func `no route reads or changes another site, and none reveals whether it exists`(path: String, person: String) throws {
    let route = try #require(FleetRoute.all.first { $0.path == path })
    let foreign = send(path, as: person, site: "b", content: content(of: route, site: "b"))
    let none = send(path, as: person, site: "nowhere", content: content(of: route, site: "nowhere"))
    #expect(foreign == none)
    switch route.right {
    case .site:
      #expect(foreign.status == 404 && archive.queries.isEmpty && archive.changes.isEmpty)
    case .ownSites:
      // The answer is about the sites of the person, whatever the request names.
      #expect(foreign.status == 200)
      for query in archive.queries {
        switch query {
        case .sites(let sites): #expect(sites == [1])
        case .search(_, let sites, _): #expect(sites == [1])
        case .shares(let sites, let asking): #expect(sites == [1] && asking == (person == "ada" ? 1 : 2))
        default: Issue.record("another query")
        }
      }
    }
  }

  @Test(arguments: FleetRoute.all.map(\.path)) func `a route needs its role`(path: String) throws {
    let route = try #require(FleetRoute.all.first { $0.path == path })
    let content = content(of: route, site: "a")
    let isForViewers = route.right == .ownSites || route.right == .site(.viewer)
    #expect(send(path, as: "ada", site: "a", content: content).status == (isForViewers ? content == nil ? 200 : 204 : 403))
    #expect([200, 204].contains(send(path, as: "olga", site: "a", content: content).status))
  }

  @Test func `the proxy alone may name the person`() {
    #expect(send("/api/sites", as: "ada").status == 200)
    #expect(send("/api/sites", as: "ada", client: nil).status == 200)
    #expect(send("/api/sites", as: "ada", client: "192.0.2.10").status == 401)
    #expect(send("/api/sites", as: "stranger").status == 403)
    #expect(send("/api/sites", as: "a b").status == 403)
  }

  @Test(arguments: [
    ["X-Form-Token": ""], ["X-Form-Token": "x"], ["Origin": "https://evil.example"], ["Sec-Fetch-Site": "cross-site"],
    ["Host": "evil.example"],
  ])
  func `a change from elsewhere is refused`(headers: [String: String]) throws {
    let route = try #require(FleetRoute.all.first { $0.path == "/api/grant" })
    #expect(send(route.path, as: "olga", content: content(of: route, site: "a"), headers).status == 403)
    #expect(archive.changes.isEmpty)
  }

  @Test func `a person has eight questions at once, and another one is asked meanwhile`() {
    archive.holdsAnswers = true
    for _ in 0..<FleetPage.mostQuestions { #expect(send("/api/sites", as: "ada").status == 0) }
    #expect(send("/api/sites", as: "ada").status == 429 && send("/api/sites", as: "olga").status == 0)
    archive.held[0]()
    #expect(send("/api/sites", as: "ada").status == 0 && send("/api/sites", as: "ada").status == 429)
  }

  @Test func `a change without its text is refused, and so is one without a role or for an administrator`() {
    func grant(_ role: String) -> Int {
      send("/api/grant", as: "olga", content: #"{"site":"a","person":"ada"\#(role)}"#).status
    }
    #expect(grant("") == 422 && grant(#","role":null"#) == 422 && grant(#","role":5"#) == 422 && grant(#","role":"king""#) == 422)
    let tag = #""uuid":"8ec76ea3-6668-48da-9866-75be8bc86f4d","major":1,"minor":5"#
    #expect(send("/api/tag/name", as: "olga", content: #"{"site":"a",\#(tag)}"#).status == 422)
    #expect(archive.changes.isEmpty)
    #expect(grant(#","role":"""#) == 204)
    archive.outcome = .denied
    #expect(grant(#","role":"owner""#) == 403)
    archive.outcome = .administrator
    #expect(grant(#","role":"viewer""#) == 409)
  }

  @Test(arguments: [
    ("share", #""recipients":"","purpose":"x","seconds":600"#), ("share", #""recipients":"role:king","purpose":"x","seconds":600"#),
    ("share", #""recipients":"olga","purpose":"","seconds":600"#), ("share", #""recipients":"olga","purpose":"a\u001b[2Jb","seconds":600"#),
    ("share", #""recipients":"olga","purpose":"x","seconds":86401"#), ("share", #""recipients":"olga","purpose":"x","seconds":-1"#),
    ("share", #""recipients":"a b c d e f g h i","purpose":"x","seconds":600"#), ("share/answer", #""id":"x","accepted":true"#),
    ("share/answer", #""id":"8ec76ea3-6668-48da-9866-75be8bc86f4d""#), ("share/end", #""id":1"#),
  ])
  func `a share with a wrong value is refused`(path: String, values: String) {
    let tag = #""uuid":"8ec76ea3-6668-48da-9866-75be8bc86f4d","major":1,"minor":5"#
    #expect(send("/api/\(path)", as: "ada", content: #"{"site":"a",\#(tag),\#(values)}"#).status == 422)
    #expect(archive.changes.isEmpty)
  }

  @Test func `signing in verifies a password for an unknown name too`() {
    archive.accounts = ["ada": Account(person: 1, password: "right"), "otto": Account(person: 3, password: nil)]
    func signIn(_ person: String, _ password: String) -> (status: Int, text: String) {
      send(
        "/api/login", as: "", content: #"{"person":"\#(person)","password":"\#(password)"}"#,
        client: "198.51.100.\(passwords.verifications.count)")
    }
    let wrong = signIn("ada", "wrong")
    #expect(wrong.status == 401 && signIn("nobody", "wrong") == wrong && signIn("otto", "wrong") == wrong)
    #expect(passwords.verifications == ["right", nil, nil] && archive.sessions.isEmpty)
    #expect(signIn("ada", "right").status == 200 && Array(archive.sessions.values) == [1])
    #expect(archive.sessions["secret"] == nil, "the database knows the hash alone")
    archive.hasChangedPasswords = true
    #expect(signIn("ada", "right") == wrong)
    passwords.isFull = true
    #expect(signIn("ada", "right").status == 503)
  }

  @Test func `a client has five attempts a minute, and the proxy states the address of the client`() {
    func signIn(_ forwarded: String) -> Int {
      send("/api/login", as: "", content: #"{"person":"ada","password":"wrong"}"#, ["X-Forwarded-For": "10.0.0.1, \(forwarded)"]).status
    }
    #expect((0..<6).map { _ in signIn("198.51.100.1") } == [401, 401, 401, 401, 401, 429])
    #expect(signIn("::ffff:198.51.100.1") == 429 && signIn("198.51.100.1:4711") == 429)
    #expect(signIn("198.51.100.2") == 401)
    // Texts that are not addresses count for the proxy.
    #expect((0..<6).map { signIn("nobody\($0)") } == [401, 401, 401, 401, 401, 429])
    #expect(passwords.verifications.count == 11)
    scheduler.advance(by: .seconds(59))
    #expect(signIn("198.51.100.1") == 429)
    scheduler.advance(by: .seconds(1))
    #expect((0..<6).map { _ in signIn("198.51.100.1") } == [401, 401, 401, 401, 401, 429])
    #expect(passwords.verifications.count == 16)
  }

  @Test func `a name has a hundred attempts in ten minutes, from all clients together`() {
    archive.accounts = ["ada": Account(person: 1, password: "right")]
    func signIn(_ index: Int, _ password: String) -> Int {
      send(
        "/api/login", as: "", content: #"{"person":"ada","password":"\#(password)"}"#, client: "198.51.\(100 + index / 250).\(index % 250)"
      ).status
    }
    #expect((0..<100).allSatisfy { signIn($0, "wrong") == 401 } && signIn(100, "right") == 429)
    scheduler.advance(by: .seconds(599))
    #expect(signIn(101, "right") == 429)
    scheduler.advance(by: .seconds(1))
    #expect(signIn(102, "right") == 200)
  }
}
