import Instants
import TestSupport
import Testing
import WebAccess

@Suite struct WebAccessTests {
  private let scheduler = ManualScheduler()
  private let access: WebAccess

  init() {
    var number = 0
    access = WebAccess(scheduler) {
      number += 1
      return "secret-\(number)"
    }
  }

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
}
