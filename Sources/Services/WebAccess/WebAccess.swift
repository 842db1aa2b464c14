import Digests
import Instants
public import Logging
public import Scheduling

/// The rights of a visitor of the page.
public enum WebRole: String, Sendable, CaseIterable {
  case view
  case edit
}

/// The logins of the page: one-time tokens, sessions, and the limit of attempts.
///
/// A token is printed for a person at the machine, and makes one session. The cookie of a session is its only secret, of which the process
/// keeps a hash. A form must also send a text that only a page of the session can know, so that a page of another site cannot send it
/// (cross-site request forgery).
public final class WebAccess {
  public struct Limits: Sendable {
    /// The time in which a token can be used.
    public var token = Span.seconds(600)
    /// The time without a request after which a session ends, and the time after which it ends in any case.
    public var idle = Span.seconds(12 * 3600)
    public var session = Span.seconds(30 * 86_400)
    /// The maximum number of sessions; one more ends the one that was idle longest.
    public var sessions = 64
    public var tokens = 16
    /// The maximum number of wrong tokens in `window`; further ones are refused unread.
    public var attempts = 10
    public var window = Span.seconds(60)
    /// The use of a session is stored after this time, because each request is a use.
    public var storing = Span.seconds(1800)

    public init() {}
  }

  public enum LoginFailure: Error, Hashable, Sendable {
    /// The token is unknown, was used, or is too old.
    case wrong
    case tooManyAttempts
  }

  public struct Session: Hashable, Sendable {
    /// The secret of the cookie.
    public let cookie: String
    public let role: WebRole
    /// The identity for the parts that must not know the cookie.
    public var id: String { WebAccess.id(of: cookie) }
    /// The text that forms and scripts of the page send.
    public var formToken: String { SHA256.hexadecimal("form \(cookie)") }
  }

  private struct Token {
    let text: String
    let role: WebRole
    let end: Instant
  }

  private let scheduler: any Scheduler
  private let limits: Limits
  private let store: any WebSessionStore
  private let log: Logger
  private let makeSecret: () -> String
  private var tokens: [Token] = []
  private var sessions: [StoredSession]
  private var lastStored: Instant
  private var wrongAttempts: [Instant] = []
  /// The sessions of users whom a proxy has authenticated, by their ids.
  private var proxySessions: [String: WebRole] = [:]
  private lazy var proxySecret = makeSecret()
  private static let mostProxySessions = 1024

  /// - Parameter makeSecret: returns a new random text that cannot be guessed.
  public init(
    _ scheduler: any Scheduler, _ store: any WebSessionStore, _ limits: Limits = Limits(), log: Logger, makeSecret: @escaping () -> String
  ) {
    (self.scheduler, self.limits, self.store, self.log, self.makeSecret) = (scheduler, limits, store, log, makeSecret)
    lastStored = scheduler.now
    do throws(WebStoreFailure) {
      sessions = try store.load().map { text throws(WebStoreFailure) in try StoredSession.read(text) } ?? []
    } catch {
      sessions = []
      log.error("\(error.description); all sessions of the page have ended, and visitors log in again")
    }
    sessions = Array(sessions.suffix(limits.sessions))
  }

  /// The longest life of a session, in seconds.
  public var longestSession: Int { Int(limits.session.seconds) }

  /// Returns a token for one login.
  public func makeToken(_ role: WebRole) -> String {
    let now = scheduler.now
    tokens.removeAll { $0.end <= now }
    if tokens.count >= limits.tokens { tokens.removeFirst() }
    let token = Token(text: makeSecret(), role: role, end: now + limits.token)
    tokens.append(token)
    return token.text
  }

  /// Begins a session for a token, which is used up.
  public func login(_ text: String) throws(LoginFailure) -> Session {
    let now = scheduler.now
    wrongAttempts.removeAll { now - $0 >= limits.window }
    guard wrongAttempts.count < limits.attempts else { throw .tooManyAttempts }
    tokens.removeAll { $0.end <= now }
    guard let index = tokens.firstIndex(where: { Self.isEqual($0.text, text) }) else {
      wrongAttempts.append(now)
      throw .wrong
    }
    return begin(tokens.remove(at: index).role)
  }

  private func begin(_ role: WebRole) -> Session {
    endExpired()
    if sessions.count >= limits.sessions, let idlest = sessions.indices.min(by: { sessions[$0].lastUse < sessions[$1].lastUse }) {
      sessions.remove(at: idlest)
    }
    let session = Session(cookie: makeSecret(), role: role)
    let time = scheduler.wallClock
    sessions.append(StoredSession(id: session.id, role: role, begin: time, lastUse: time))
    save()
    return session
  }

  /// Returns the session of a cookie; nil if it has ended or never was.
  public func session(_ cookie: String) -> Session? {
    use(Self.id(of: cookie)).map { Session(cookie: cookie, role: $0) }
  }

  /// Returns the session of a user whom a proxy has authenticated.
  ///
  /// The text of forms is secret, as with other sessions.
  public func session(ofProxyUser user: String, _ role: WebRole) -> Session {
    let session = Session(cookie: "\(proxySecret) \(user)", role: role)
    if proxySessions.count >= Self.mostProxySessions { proxySessions = [:] }
    proxySessions[session.id] = role
    return session
  }

  /// Counts a use of a session, and returns its role; nil if it has ended or never was.
  public func use(_ id: String) -> WebRole? {
    if let role = proxySessions[id] { return role }
    endExpired()
    guard let index = sessions.firstIndex(where: { Self.isEqual($0.id, id) }) else { return nil }
    sessions[index].lastUse = scheduler.wallClock
    if scheduler.now - lastStored >= limits.storing { save() }
    return sessions[index].role
  }

  /// Whether a request that changes something comes from a page of the session.
  public func permits(_ session: Session, formToken: String?) -> Bool {
    formToken.map { Self.isEqual($0, session.formToken) } ?? false
  }

  public func logout(_ session: Session) {
    sessions.removeAll { $0.id == session.id }
    save()
  }

  /// Ends all sessions and tokens.
  public func logoutAll() {
    (sessions, tokens) = ([], [])
    save()
  }

  private func endExpired() {
    // The wall clock continues over a restart of the service.
    let time = scheduler.wallClock
    sessions.removeAll { time - $0.lastUse >= limits.idle || time - $0.begin >= limits.session }
  }

  private func save() {
    lastStored = scheduler.now
    do throws(WebStoreFailure) { try store.save(StoredSession.text(of: sessions)) } catch {
      log.warning("\(error.description); the sessions of the page end with a restart of the service")
    }
  }

  static func id(of cookie: String) -> String { SHA256.hexadecimal(cookie) }

  /// Compares in a time that does not show how many characters are equal.
  private static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
