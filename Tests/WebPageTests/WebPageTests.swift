import Events
import HTTPMessages
import Instants
import Records
import TestSupport
import Testing
import Venues
import WebAccess
import WebPage

@Suite struct WebPageTests {
  private let scheduler = ManualScheduler()
  private let daemon = FakeDaemon()
  private let files = FakeFiles()
  private let maps = FakeMaps()
  private let access: WebAccess
  private let feed: LiveFeed
  private let page: WebPage

  init() {
    var number = 0
    access = WebAccess(scheduler, FakeStore(), log: LogLines().logger) {
      number += 1
      return "secret-\(number)"
    }
    feed = LiveFeed(scheduler, daemon)
    var settings = WebPage.Settings()
    settings.hosts = ["gallery.example"]
    page = WebPage(access, feed, daemon, files, FakeDrawings(), maps, settings)
  }

  private static let usual = ["Host": "localhost:8463"]
  private static let posting = ["Host": "localhost:8463", "Origin": "http://localhost:8463", "Content-Type": "application/json"]

  /// Sends a request; headers replace the usual ones, and an empty one removes it.
  private func send(
    _ path: String, _ arguments: [String: String] = [:], post content: String? = nil, _ headers: [String: String] = [:]
  ) throws -> HTTPServerResponse {
    let all = (content == nil ? Self.usual : Self.posting).merging(headers) { $1 }.filter { !$1.isEmpty }
    var response: HTTPServerResponse?
    page.respond(
      to: HTTPServerRequest(
        method: content == nil ? .get : .post, path: path, content: Array((content ?? "").utf8), findHeader: { all[$0] },
        findArgument: { arguments[$0] })
    ) { response = $0 }
    return try #require(response)
  }

  /// Returns the headers of a new login.
  private func login(_ role: WebRole) throws -> [String: String] {
    let session = try access.login(access.makeToken(role))
    return ["Cookie": "other=1; beaconmon-web=\(session.cookie)", "X-Form-Token": session.formToken]
  }

  private func text(_ response: HTTPServerResponse) -> String { if case .text(let text) = response.body { text } else { "" } }

  @Test func `a token becomes a cookie that scripts cannot read and other sites do not send`() throws {
    let response = try send("/api/login", post: #"{"token":"\#(access.makeToken(.edit))"}"#)
    #expect(text(response) == #"{"role":"edit"}"#)
    #expect(response.header("Set-Cookie") == "beaconmon-web=secret-2; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000")
    let session = try send("/api/session", [:], ["Cookie": "beaconmon-web=secret-2"])
    #expect(
      text(session)
        == #"{"role":"edit","formToken":"04e455a966dad256c363ca5eaab6c52ed236cb596f3d52c26ac45a5312a0ef5d","version":""}"#)
    page.settings.isEncrypted = true
    #expect(try send("/api/login", post: #"{"token":"\#(access.makeToken(.view))"}"#).header("Set-Cookie")?.hasSuffix("; Secure") == true)
  }

  @Test func `a wrong token is refused, and guessing is limited`() throws {
    for _ in 0..<10 { #expect(try send("/api/login", post: #"{"token":"guess"}"#).status == 401) }
    #expect(try send("/api/login", post: #"{"token":"guess"}"#).status == 429)
    #expect(try send("/api/login", post: "nonsense").status == 400)
    #expect(try send("/api/login").status == 405)
  }

  @Test func `a logout ends the session and its streams`() throws {
    let headers = try login(.view)
    guard case .events(let stream) = try send("/api/live", [:], headers).body else { return #expect(Bool(false)) }
    let response = try send("/api/logout", post: "{}", headers)
    #expect(response.status == 204 && response.header("Set-Cookie")?.contains("Max-Age=0") == true && stream.isEnded)
    #expect(try send("/api/session", [:], headers).status == 401)
  }

  @Test(arguments: ["evil.example", "127.evil.example", "localhost.evil.example", "[::2]", "localhost@evil.example", ""])
  func `a request for another host gets nothing`(host: String) throws {
    let headers = try login(.edit)
    #expect(try send("/", [:], ["Host": host]).status == 403)
    #expect(try send("/api/plans", [:], headers.merging(["Host": host]) { $1 }).status == 403)
  }

  @Test(arguments: ["localhost", "LOCALHOST:1", "127.0.0.1:8463", "[::1]:8463", "gallery.example", "Gallery.example:443"])
  func `a request for this host is answered`(host: String) throws {
    #expect(text(try send("/a.js", [:], ["Host": host])) == "file /a.js")
  }

  @Test func `a page of another site can change nothing`() throws {
    let headers = try login(.edit)
    func save(_ change: [String: String]) throws -> Int {
      try send("/api/venue/save", post: #"{"text":"t","revision":"1"}"#, headers.merging(change) { $1 }).status
    }
    #expect(try save([:]) == 200)
    #expect(try save(["Origin": "https://evil.example"]) == 403)
    #expect(try save(["Origin": "null"]) == 403)
    #expect(try save(["Origin": "http://localhost:80"]) == 403)
    // A form of an old browser.
    #expect(try save(["Origin": ""]) == 403)
    #expect(try save(["Content-Type": "text/plain"]) == 415)
    #expect(try save(["X-Form-Token": ""]) == 403)
    #expect(try save(["X-Form-Token": "secret-1"]) == 403)
    #expect(try save(["Sec-Fetch-Site": "cross-site"]) == 403)
    #expect(try save(["Sec-Fetch-Site": "same-site"]) == 403)
    #expect(daemon.saves.count == 1)
    #expect(try send("/api/plans", [:], headers.merging(["Origin": "https://evil.example"]) { $1 }).status == 403)
    #expect(try send("/api/live", [:], headers.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }).status == 403)
    #expect(try send("/api/venue/save", [:], headers).status == 405)
  }

  @Test func `data need a login, and files do not`() throws {
    #expect(text(try send("/")) == "file /")
    for path in ["/api/plans", "/api/plan", "/api/picture", "/api/places", "/api/events", "/api/visits", "/api/venues", "/api/live"] {
      #expect(try send(path).status == 401, "\(path)")
    }
    let headers = try login(.view)
    #expect(text(try send("/api/plans", [:], headers)) == #"{"plans":[]}"#)
    #expect(try send("/api/nothing", [:], headers).status == 404)
  }

  @Test(arguments: ["/api/venue", "/api/venue/history"]) func `a viewer reads no venue file`(path: String) throws {
    #expect(try send(path, ["venue": "v"], try login(.view)).status == 403)
    #expect(try send(path, ["venue": "v"], try login(.edit)).status == 200)
    #expect(try send(path, [:], try login(.edit)).status == 400)
  }

  @Test func `a viewer saves nothing`() throws {
    #expect(try send("/api/venue/save", post: #"{"text":"t","revision":"1"}"#, try login(.view)).status == 403)
    #expect(daemon.saves.isEmpty)
  }

  @Test func `an editor reads and saves a venue, and receives its warnings and problems`() throws {
    let headers = try login(.edit)
    #expect(
      text(try send("/api/venue", ["venue": "v"], headers))
        == #"{"venue":"v","text":"name = \"<b>\"","revision":"1","editable":true,"model":{"drawn":12},"problems":[],"warnings":[]}"#)
    func save() throws -> HTTPServerResponse { try send("/api/venue/save", post: #"{"text":"t","revision":"1"}"#, headers) }
    #expect(text(try save()) == #"{"venue":"v","revision":"2","warnings":["line 1: \"odd\""]}"#)
    var refusal = PageRefusal(422, "invalid", "the venue has a problem")
    refusal.problems = ["line 3: \"x\""]
    daemon.saved = .failure(refusal)
    let response = try save()
    #expect(response.status == 422)
    #expect(text(response) == #"{"error":"the venue has a problem","code":"invalid","problems":["line 3: \"x\""]}"#)
    #expect(daemon.saves.allSatisfy { $0 == ("t", "1") })
    #expect(try send("/api/venue/save", post: #"{"text":"t"}"#, headers).status == 400)
  }

  @Test func `events come as a page of the journal`() throws {
    let headers = try login(.view)
    let answer = text(try send("/api/events", ["last": "9999", "before": "6"], headers))
    #expect(answer.hasPrefix(#"{"journal":"j","isComplete":true,"events":[{"sequence":4,"#))
    #expect(daemon.eventRequests.map(\.last) == [500] && daemon.eventRequests.map(\.before) == [6])
    #expect(try send("/api/events", ["last": "-1"], headers).status == 400)
    #expect(try send("/api/visits", ["since": "2026-13-01"], headers).status == 400)
    #expect(try send("/api/visits", ["since": "2026-09-01"], headers).status == 200)
  }

  @Test func `a plan has its picture in metres, or the reason why there is none`() throws {
    let headers = try login(.view)
    var plan = PlanReport()
    (plan.venue, plan.latitude, plan.longitude, plan.image) = ("v", 48, 11, "/etc/plan.png")
    daemon.plan = .success(plan)
    #expect(text(try send("/api/plan", ["level": "g"], headers)).contains(#""pictureNote":"the picture has no place on the plan;"#))
    plan.corners = [(48.0001, 11.0), (48.0001, 11.0001), (48, 11.0001), (48, 11)].map {
      var point = PointReport()
      (point.latitude, point.longitude) = $0
      return point
    }
    daemon.plan = .success(plan)
    let answer = text(try send("/api/plan", ["level": "g"], headers))
    #expect(answer.contains(#""picture":true,"pictureCorners":[{"x":0.000,"y":11.1"#) && !answer.contains("/etc/"))
    #expect(try send("/api/picture", ["level": "g"], headers).header("Content-Type") == "image/png")
    files.refusal = PageRefusal(413, "picture", "too large")
    #expect(text(try send("/api/plan", ["level": "g"], headers)).contains(#""pictureNote":"too large""#))
    #expect(try send("/api/picture", ["level": "g"], headers).status == 413)
    #expect(try send("/api/plan", [:], headers).status == 400)
  }

  @Test func `a proxy names the user, and nothing else does`() throws {
    let named = ["X-User": "anna"]
    #expect(try send("/api/session", [:], named).status == 401)
    page.settings.proxyUserHeader = "X-User"
    page.settings.editors = ["anna"]
    let session = text(try send("/api/session", [:], named))
    #expect(session.contains(#""role":"edit""#))
    #expect(text(try send("/api/session", [:], ["X-User": "ben"])).contains(#""role":"view""#))
    #expect(try send("/api/session", [:], ["X-User": ""]).status == 401)
    let formToken = try #require(session.firstMatch(of: /"formToken":"([0-9a-f]{64})"/)).output.1
    func save(_ headers: [String: String]) throws -> Int {
      try send("/api/venue/save", post: #"{"text":"t","revision":"1"}"#, headers).status
    }
    #expect(try save(["X-User": "anna", "X-Form-Token": String(formToken)]) == 200)
    #expect(try save(["X-User": "anna"]) == 403)
    #expect(try save(["X-User": "ben", "X-Form-Token": String(formToken)]) == 403)
    guard case .events(let stream) = try send("/api/live", [:], named).body else { return #expect(Bool(false)) }
    scheduler.advance(by: .seconds(60))
    #expect(!stream.isEnded)
  }

  @Test func `too many open pages are refused`() throws {
    let headers = try login(.view)
    for _ in 0..<8 { #expect(try send("/api/live", [:], headers).status == 200) }
    #expect(try send("/api/live", [:], headers).status == 429)
  }

  // MARK: Maps and drawings

  @Test func `the map of predicted errors has a row for each line of cells`() throws {
    let viewer = try login(.view)
    let map = try send("/api/predicted-error", ["level": "ground"], viewer)
    #expect(text(map) == #"{"cell":0.500,"x":1.000,"y":-2.000,"columns":2,"rows":1,"errors":[null,2.35]}"#)
    maps.errors = nil
    #expect(try send("/api/predicted-error", ["level": "ground"], viewer).status == 503)
    #expect(try send("/api/predicted-error", [:], viewer).status == 400)
  }

  @Test func `a survey is a list of points with a level for each beacon that was heard there`() throws {
    let viewer = try login(.view)
    #expect(try send("/api/survey", ["level": "ground"], viewer).status == 404)
    daemon.survey = [(1.0, UInt16(1), -70.26), (1, 2, -80), (2, 2, -81)].map { x, minor, rssi in
      var reading = SurveyReadingReport()
      (reading.x, reading.y, reading.major, reading.minor, reading.rssi) = (x, 0, 7, minor, rssi)
      return reading
    }
    let survey = try text(send("/api/survey", ["level": "ground"], viewer))
    #expect(survey.hasPrefix(#"{"beacons":[{"major":7,"minor":1},{"major":7,"minor":2}],"points":["#))
    #expect(survey.hasSuffix(#"{"x":1.000,"y":0.000,"rssi":[-70.26,-80.00]},{"x":2.000,"y":0.000,"rssi":[null,-81.00]}]}"#))
  }

  @Test func `edits give the new text with its drawing and the report of the daemon about it`() throws {
    let editor = try login(.edit)
    func apply(_ content: String) throws -> String { try text(send("/api/venue/apply", post: content, editor)) }
    let edit = #"{"text":"a","edits":[{"do":"remove","key":"wall/0"}]}"#
    #expect(try apply(edit) == #"{"text":"a1","model":{"drawn":2},"problems":[],"warnings":["line 2: \"odd\""]}"#)
    var refusal = PageRefusal(422, "invalid", "the venue has a problem")
    refusal.problems = ["line 3: no"]
    daemon.checked = .failure(refusal)
    #expect(try apply(edit) == #"{"text":"a1","model":{"drawn":2},"problems":["line 3: no"],"warnings":[]}"#)
    #expect(
      try apply(#"{"text":"bad","edits":[]}"#) == #"{"text":"bad0","model":null,"problems":["line 3: no"],"warnings":[]}"#)
    daemon.checked = .failure(PageRefusal(503, "daemon-absent", "gone"))
    #expect(try send("/api/venue/apply", post: edit, editor).status == 503)
    #expect(try send("/api/venue/apply", post: edit, login(.view)).status == 403)
    for content in ["{}", "1", #"{"text":"","edits":{}}"#] {
      #expect(try send("/api/venue/apply", post: content, editor).status == 400)
    }
    #expect(try text(send("/api/venue", ["venue": "v"], editor)).contains(#""editable":true,"model":{"drawn":12},"problems":[]"#))
  }
}
