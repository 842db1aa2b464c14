import Digests
import Instants
import People
public import Scheduling
import WebPage

/// Signs people in with their names and passwords, and finds the person of a request.
public final class SignIns {
  public struct Session: Hashable, Sendable {
    /// The secret of the cookie; for a login of a proxy, a text that only this process knows.
    let secret: String
    public let login: Login

    /// The text that forms and scripts of the page send.
    public var formToken: String { SHA256.hexadecimal("form \(secret)") }

    init(cookie: String) { (secret, login) = (cookie, .session(SHA256.hexadecimal(cookie))) }

    init(proxyUser: String, secret: String) { (self.secret, login) = ("\(secret) \(proxyUser)", .proxy(proxyUser)) }

    /// Whether a request that changes something comes from a page of the session.
    func permits(formToken text: String?) -> Bool {
      // Comparing hashes takes the same time however much of the text is right.
      text.map { SHA256.hexadecimal("\(secret)\($0)") == SHA256.hexadecimal("\(secret)\(formToken)") } ?? false
    }
  }

  /// The longest password that is hashed, in octets.
  private static let longestPassword = NewPassword.longest

  private let scheduler: any Scheduler
  private let archive: any FleetArchive
  private let passwords: any PasswordVerifier
  private let makeSecret: () -> String
  private var limits = AttemptLimits()

  /// - Parameter makeSecret: Returns a new random text that cannot be guessed.
  public init(
    _ scheduler: any Scheduler, _ archive: any FleetArchive, _ passwords: any PasswordVerifier, makeSecret: @escaping () -> String
  ) {
    (self.scheduler, self.archive, self.passwords, self.makeSecret) = (scheduler, archive, passwords, makeSecret)
  }

  /// Begins a session. A wrong name and a wrong password get the same answer after the same work.
  ///
  /// - Parameter client: The address that is limited; nil for a client of this machine.
  func signIn(_ name: String, _ password: String, client: String?, _ answer: @escaping ArchiveAnswer<Session>) {
    let client = client ?? "this machine"
    guard PersonName.fault(of: name) == nil, password.utf8.count <= Self.longestPassword else { return answer(.failure(.wrongPassword)) }
    guard limits.take(client: client, name: name, at: scheduler.now) else { return answer(.failure(.attempts)) }
    archive.account(named: name) { [self] found in
      switch found {
      case .failure(let refusal): answer(.failure(refusal))
      case .success(let account):
        let isWaiting = passwords.verify(password, against: account?.password) { [self] verdict in
          switch (verdict, account) {
          case (.right, let account?):
            limits.forgive(client: client, name: name)
            begin(account, answer)
          case (.right, nil), (.wrong, _): answer(.failure(.wrongPassword))
          case (.unavailable, _): answer(.failure(.busy))
          }
        }
        if !isWaiting { answer(.failure(.busy)) }
      }
    }
  }

  private func begin(_ account: Account, _ answer: @escaping ArchiveAnswer<Session>) {
    let cookie = makeSecret()
    let session = Session(cookie: cookie)
    guard case .session(let hash) = session.login else { return }
    archive.begin(session: hash, of: account) { result in
      answer(result.flatMap { $0 ? .success(session) : .failure(.wrongPassword) })
    }
  }

  /// Ends a session. A login of a proxy ends at the proxy.
  func signOut(_ session: Session, _ answer: @escaping ArchiveAnswer<Void>) {
    guard case .session(let hash) = session.login else { return answer(.success(())) }
    archive.end(session: hash, answer)
  }
}
