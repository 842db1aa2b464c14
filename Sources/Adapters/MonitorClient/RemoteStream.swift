import DBus
import EventLoop
import Instants
import MonitorProtocol
import Scheduling

/// A session that delivers signals after a method call, or several.
///
/// It opens a new session whenever the daemon returns, and after the daemon has ended the session of a client that did not read.
public final class RemoteStream {
  private let connection: DBusConnection
  private let purpose: String
  private let start: [Call]
  private let preparation: Call?
  private let timeout: Span
  private let onAnswer: ([DBusValue]) -> Void
  private let onFailure: (DBusError) -> Void
  private var presence: NameWatch?
  private var signals: SignalSubscription?
  private var session: String?
  private let answers = StaleAnswerFilter()
  private lazy var retry = connection.loop.timer { [unowned self] in if session == nil, isAvailable { open() } }
  private var isAvailable = false

  /// A method with its arguments.
  typealias Call = (member: String, arguments: [DBusValue])

  /// The pause before another session after the daemon has ended one.
  private static let pause = Span.seconds(1)

  /// - Parameters:
  ///   - purpose: the reason for the session, shown in the request for consent.
  ///   - preparation: a method that is called first; an earlier daemon may lack it.
  ///   - start: the methods that make the session send; `onAnswer` takes their answers, which must come within `timeout`.
  ///   - signals: the names of the signals that `handler` takes.
  init(
    _ connection: DBusConnection, purpose: String, preparation: Call? = nil, start: [Call], timeout: Span = .seconds(25),
    signals members: Set<String>, onAnswer: @escaping ([DBusValue]) -> Void = { _ in }, onFailure: @escaping (DBusError) -> Void,
    handler: @escaping (DBusMessage) -> Void
  ) {
    self.connection = connection
    self.purpose = purpose
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
      answers.renew()
      session = nil
      isAvailable = owner != nil
      retry.disarm()
      if isAvailable { open() }
    }
  }

  deinit {
    if let session { connection.call(session: session, "Close") { _ in /* The session ends with the connection at the latest. */ } }
  }

  /// Opens another session in place of the one that the daemon has ended.
  private func stopped() {
    answers.renew()
    session = nil
    retry.arm(after: Self.pause)
  }

  private func open() {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.manager, member: "CreateSession",
      [.options(["purpose": .string(purpose)])],
      completion: answers.current { [unowned self] reply in
        switch reply {
        case .success(let values): begin(values.first?.objectPath ?? "")
        case .failure(let error): onFailure(error)
        }
      })
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

extension DBusConnection {
  func call(
    session: String, _ member: String, _ arguments: [DBusValue] = [], timeout: Span = .seconds(25),
    completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    callDaemon(session, MonitorNames.session, member, arguments, timeout: timeout, completion: completion)
  }
}
