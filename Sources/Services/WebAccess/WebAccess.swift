import Instants
public import Scheduling

/// The rights of a visitor of the page.
public enum WebRole: String, Sendable, CaseIterable {
  case view
  case edit
}

/// The logins of the page: one-time tokens, sessions, and the limit of attempts.
///
/// A token is printed for a person at the machine, and makes one session. The cookie of a session is its only secret; a form must also
/// send a text that only a page of the session can know, so that a page of another site cannot send it (cross-site request forgery).
public final class WebAccess {
  public struct Limits: Sendable {
    /// The time in which a token can be used.
    public var token = Span.seconds(600)
    /// The time without a request after which a session ends, and the time after which it ends in any case.
    public var idle = Span.seconds(12 * 3600)
    public var session = Span.seconds(30 * 86_400)
    /// The most sessions; one more ends the one that was idle longest.
    public var sessions = 64
    public var tokens = 16
    /// The most wrong tokens in `window`; further ones are refused unread.
    public var attempts = 10
    public var window = Span.seconds(60)

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
    /// The text that forms and scripts of the page send.
    public let formToken: String
    public let role: WebRole
    let begin: Instant
    var lastUse: Instant
  }

  private struct Token {
    let text: String
    let role: WebRole
    let end: Instant
  }

  private let scheduler: any Scheduler
  private let limits: Limits
  private let makeSecret: () -> String
  private var tokens: [Token] = []
  private var sessions: [Session] = []
  private var wrongAttempts: [Instant] = []

  /// - Parameter makeSecret: returns a new random text that cannot be guessed.
  public init(_ scheduler: any Scheduler, _ limits: Limits = Limits(), makeSecret: @escaping () -> String) {
    (self.scheduler, self.limits, self.makeSecret) = (scheduler, limits, makeSecret)
  }

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
    let token = tokens.remove(at: index)
    endExpired(at: now)
    if sessions.count >= limits.sessions, let idlest = sessions.indices.min(by: { sessions[$0].lastUse < sessions[$1].lastUse }) {
      sessions.remove(at: idlest)
    }
    let session = Session(cookie: makeSecret(), formToken: makeSecret(), role: token.role, begin: now, lastUse: now)
    sessions.append(session)
    return session
  }

  /// Returns the session of a cookie; nil if it has ended or never was.
  public func session(_ cookie: String) -> Session? {
    let now = scheduler.now
    endExpired(at: now)
    guard let index = sessions.firstIndex(where: { Self.isEqual($0.cookie, cookie) }) else { return nil }
    sessions[index].lastUse = now
    return sessions[index]
  }

  /// Whether a request that changes something comes from a page of the session.
  public func permits(_ session: Session, formToken: String?) -> Bool {
    formToken.map { Self.isEqual($0, session.formToken) } ?? false
  }

  /// The longest life of a session, in seconds.
  public var longestSession: Int { Int(limits.session.seconds) }

  public func logout(_ session: Session) { sessions.removeAll { $0.cookie == session.cookie } }

  /// Ends all sessions and tokens.
  public func logoutAll() { (sessions, tokens) = ([], []) }

  private func endExpired(at now: Instant) {
    sessions.removeAll { now - $0.lastUse >= limits.idle || now - $0.begin >= limits.session }
  }

  /// Compares in a time that does not show how many characters are equal.
  private static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
