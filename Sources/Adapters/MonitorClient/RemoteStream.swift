import DBus
import EventLoop
import Instants
import MonitorProtocol

/// A session that delivers signals after a method call, or several.
///
/// It opens a new session whenever the daemon returns, after the daemon has ended the session of a client that did not read, and after
/// the daemon failed to open one.
public final class RemoteStream {
  private let connection: DBusConnection
  private let start: [Call]
  private let preparation: Call?
  private let timeout: Span
  private let onAnswer: ([DBusValue]) -> Void
  private let onFailure: (DBusError) -> Void
  private var presence: NameWatch?
  private var signals: SignalSubscription?
  private var session: String?
  private let opener: SessionOpener
  private lazy var retry = connection.loop.timer { [unowned self] in if session == nil, isAvailable { open() } }
  private var backoff = Backoff.ofDaemon
  /// Whether the daemon has not opened a session since it failed to.
  private var isInTrouble = false
  private var isAvailable = false

  /// A method with its arguments.
  typealias Call = (member: String, arguments: [DBusValue])

  /// - Parameters:
  ///   - purpose: the reason for the session, shown in the request for consent.
  ///   - preparation: a method that is called first; an earlier daemon may lack it.
  ///   - start: the methods that make the session send; `onAnswer` takes their answers, which must come within `timeout`.
  ///   - onFailure: takes the errors of these methods, and the first one of repeated failures to open a session.
  ///   - signals: the names of the signals that `handler` takes.
  init(
    _ connection: DBusConnection, purpose: String, preparation: Call? = nil, start: [Call], timeout: Span = .seconds(25),
    signals members: Set<String>, onAnswer: @escaping ([DBusValue]) -> Void = { _ in }, onFailure: @escaping (DBusError) -> Void,
    handler: @escaping (DBusMessage) -> Void
  ) {
    self.connection = connection
    opener = SessionOpener(connection, SessionClaim(purpose: purpose))
    self.preparation = preparation
    self.start = start
    self.timeout = timeout
    self.onAnswer = onAnswer
    self.onFailure = onFailure
    let rule = MatchRule(sender: MonitorNames.bus, interface: MonitorNames.session)
    signals = connection.addMatch(rule) { [unowned self] signal in
      guard let path = signal.path, path == session else { return }
      if signal.member == "Stopped" {
        stopped()
      } else if members.contains(signal.member ?? "") {
        handler(signal)
      }
    }
    presence = connection.watchName(MonitorNames.bus) { [unowned self] owner in
      opener.daemonVanished()
      session = nil
      isAvailable = owner != nil
      retry.disarm()
      endTrouble()
      if isAvailable { open() }
    }
  }

  deinit {
    if let session { connection.closeSession(session) }
  }

  /// Opens another session in place of the one that the daemon has ended.
  private func stopped() {
    session = nil
    retry.arm(after: &backoff)
  }

  private func open() {
    opener.open { [unowned self] answer in
      switch answer {
      case .success(let path):
        endTrouble()
        begin(path)
      case .failure(let error):
        let isNew = !isInTrouble
        isInTrouble = true
        retry.arm(after: &backoff)
        if isNew, !error.isStandard("Disconnected") { onFailure(error) }
      }
    }
  }

  private func endTrouble() {
    isInTrouble = false
    backoff.reset()
  }

  private func begin(_ path: String) {
    session = path
    if let preparation {
      connection.call(session: path, preparation.member, preparation.arguments) { _ in /* An earlier daemon sends less. */ }
    }
    for call in start {
      connection.call(session: path, call.member, call.arguments, timeout: timeout) { [weak self] reply in
        guard let self, session == path else { return }
        switch reply {
        case .success(let values): onAnswer(values)
        case .failure(let error): if !error.isStandard("Disconnected") { onFailure(error) }
        }
      }
    }
  }
}
