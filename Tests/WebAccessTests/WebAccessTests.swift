import Instants
import TestSupport
import Testing
import WebAccess

@Suite struct WebAccessTests {
  private let scheduler = ManualScheduler()
  private let store = MemoryStore()
  private let log = LogLines()
  private let access: WebAccess

  init() { access = Self.access(scheduler, store, log) }

  private static func access(_ scheduler: ManualScheduler, _ store: MemoryStore, _ log: LogLines) -> WebAccess {
    WebAccess(scheduler, store, log: log.logger) {
      store.secrets += 1
      return "secret-\(store.secrets)"
    }
  }

  /// The logins after a restart of the service.
  private func restarted() -> WebAccess { Self.access(scheduler, store, log) }

  @Test func `a token makes one session with its role`() throws {
    let token = access.makeToken(.edit)
    let session = try access.login(token)
    #expect(session.role == .edit && access.session(session.cookie)?.role == .edit)
    #expect(throws: WebAccess.LoginFailure.wrong) { try access.login(token) }
    #expect(access.session("secret-0") == nil && access.session("") == nil)
  }

  @Test func `a token ends after ten minutes`() throws {
    let token = access.makeToken(.view)
    scheduler.advance(by: .seconds(600))
    #expect(throws: WebAccess.LoginFailure.wrong) { try access.login(token) }
  }

  @Test func `guessing is slowed down, and blocks logins for a minute only`() throws {
    let token = access.makeToken(.view)
    for _ in 0..<10 { #expect(throws: WebAccess.LoginFailure.wrong) { try access.login("guess") } }
    #expect(throws: WebAccess.LoginFailure.tooManyAttempts) { try access.login(token) }
    scheduler.advance(by: .seconds(60))
    _ = try access.login(token)
  }

  @Test func `a session ends after twelve idle hours, and after thirty days in any case`() throws {
    let idle = try access.login(access.makeToken(.view))
    let busy = try access.login(access.makeToken(.view))
    for hour in 1...(30 * 24 - 1) {
      scheduler.advance(by: .seconds(3600))
      #expect(access.session(busy.cookie) != nil, "\(hour)")
    }
    #expect(access.session(idle.cookie) == nil)
    scheduler.advance(by: .seconds(3600))
    #expect(access.session(busy.cookie) == nil)
  }

  @Test func `a form without the token of its session is refused`() throws {
    let (first, second) = (try access.login(access.makeToken(.edit)), try access.login(access.makeToken(.edit)))
    #expect(access.permits(first, formToken: first.formToken))
    #expect(!access.permits(first, formToken: second.formToken) && !access.permits(first, formToken: nil))
    #expect(!access.permits(first, formToken: first.cookie) && !access.permits(first, formToken: ""))
  }

  @Test func `sessions and tokens are limited, and a logout ends one`() throws {
    let first = try access.login(access.makeToken(.view))
    let tokens = (0..<20).map { _ in access.makeToken(.view) }
    #expect(throws: WebAccess.LoginFailure.wrong) { try access.login(tokens[3]) }
    _ = try access.login(tokens[19])
    for _ in 0..<63 {
      scheduler.advance(by: .seconds(1))
      _ = try access.login(access.makeToken(.view))
    }
    #expect(access.session(first.cookie) == nil)
    let last = try access.login(access.makeToken(.view))
    access.logout(last)
    #expect(access.session(last.cookie) == nil)
  }

  @Test func `a session outlives a restart of the service, and no secret is stored`() throws {
    let session = try access.login(access.makeToken(.edit))
    let other = try access.login(access.makeToken(.view))
    access.logout(other)
    let after = restarted()
    #expect(after.session(session.cookie) == session && after.session(other.cookie) == nil)
    #expect(after.permits(session, formToken: session.formToken))
    #expect(!store.text.contains(session.cookie) && !store.text.contains(session.formToken))
    // The file is not a login by itself.
    #expect(after.session(session.id) == nil)
    scheduler.advance(by: .seconds(12 * 3600))
    #expect(restarted().session(session.cookie) == nil)
  }

  @Test func `the use of a session is stored from time to time`() throws {
    let session = try access.login(access.makeToken(.view))
    for _ in 0..<20 {
      scheduler.advance(by: .seconds(3600))
      #expect(access.session(session.cookie) != nil)
    }
    #expect(restarted().session(session.cookie) != nil)
    let count = store.saves
    for _ in 0..<100 { _ = access.session(session.cookie) }
    #expect(store.saves == count)
  }

  @Test(arguments: ["", "{", "[]", "{}", #"{"sessions":[{"id":"x"}]}"#, #"{"sessions":[{"id":"x","role":"root","begin":1,"lastUse":1}]}"#])
  func `a damaged file ends all sessions with a line in the log, and is replaced`(text: String) throws {
    store.text = text
    let access = restarted()
    #expect(log.all.count == 1 && log.all[0].contains("the file of sessions is damaged"))
    let session = try access.login(access.makeToken(.view))
    #expect(restarted().session(session.cookie) != nil && log.all.count == 1)
  }

  @Test func `a disk that fails costs no login`() throws {
    store.failure = WebStoreFailure("disk full")
    let session = try access.login(access.makeToken(.view))
    #expect(access.session(session.cookie) != nil && log.all == ["disk full; the sessions of the page end with a restart of the service"])
  }

  @Test func `the end of all sessions ends tokens, too`() throws {
    let session = try access.login(access.makeToken(.view))
    let token = access.makeToken(.view)
    access.logoutAll()
    #expect(access.session(session.cookie) == nil && restarted().session(session.cookie) == nil)
    #expect(throws: WebAccess.LoginFailure.wrong) { try access.login(token) }
  }
}

/// A file in memory.
private final class MemoryStore: WebSessionStore {
  var text = #"{"sessions":[]}"#
  var failure: WebStoreFailure?
  var saves = 0
  /// The secrets that were made.
  var secrets = 0

  func load() throws(WebStoreFailure) -> String? { text }

  func save(_ text: String) throws(WebStoreFailure) {
    if let failure { throw failure }
    self.text = text
    saves += 1
  }
}
