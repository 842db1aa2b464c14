import DBus
import EventLoop
import Instants
import MonitorProtocol

/// Opens sessions for one part of a program, one after the other.
///
/// A session counts against the limits of its connection until it is closed, even if its answer comes late. The opener therefore sends
/// one request at a time, gives its answer to the last call, and closes a session that no call wants any more.
final class SessionOpener {
  /// The time after which an opening fails. The daemon asks no person before it opens a session.
  static let patience = Span.seconds(25)
  /// The time for which the opener waits for the answer of a daemon that hangs, to use or close its session.
  private static let longestHang = Span.seconds(3600)

  private let connection: DBusConnection
  private let claim: SessionClaim
  private let patience: Span
  /// The request that the daemon has not answered; nil if there is none.
  private var request: Request?
  /// Takes the path of the session; nil while no session is wanted.
  private var completion: ((Result<String, DBusError>) -> Void)?
  private lazy var limit = connection.loop.timer { [unowned self] in giveUp() }

  /// The identity of a request.
  private final class Request {}

  init(_ connection: DBusConnection, _ claim: SessionClaim, patience: Span = SessionOpener.patience) {
    (self.connection, self.claim, self.patience) = (connection, claim, patience)
  }

  /// Opens a session. It replaces an earlier call that has no answer yet, and takes the answer of its request.
  ///
  /// - Parameter completion: takes the path of the session, which the caller closes. It is never called inside this call, and not after
  ///   the opener is released.
  func open(_ completion: @escaping (Result<String, DBusError>) -> Void) {
    self.completion = completion
    limit.arm(after: patience)
    guard request == nil else { return }
    let request = Request()
    self.request = request
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.manager, member: "CreateSession",
      [claim.dbusValue], timeout: Self.longestHang
    ) { [weak self, weak connection, weak request] reply in
      guard let self else {
        // After an error there is no session to close.
        if let path = try? reply.get().first?.objectPath { connection?.closeSession(path) }
        return
      }
      if let request, request === self.request { take(reply) }
    }
  }

  /// Forgets the request to a daemon that is gone, and its sessions with it.
  func daemonVanished() {
    (request, completion) = (nil, nil)
    limit.disarm()
  }

  private func take(_ reply: Result<[DBusValue], DBusError>) {
    let completion = completion
    daemonVanished()
    let opened: Result<String, DBusError> = reply.flatMap { values in
      values.first?.objectPath.map { .success($0) } ?? .failure(.inconsistentMessage("beaconmond answered without a session"))
    }
    if let completion { return completion(opened) }
    if case .success(let path) = opened { connection.closeSession(path) }
  }

  private func giveUp() {
    let completion = completion
    self.completion = nil
    completion?(.failure(.noReply("beaconmond did not answer within \(patience.text)")))
  }
}

/// The program's statements about a session that it opens.
struct SessionClaim {
  /// The reason for using locations and beacons, shown in the request for consent.
  var purpose: String
  /// The name of the program, such as "org.example.Guide"; nil if it has none.
  var appID: String?
  /// The names of the capabilities without which the daemon refuses all requests.
  var requirements: [String] = []
  /// Whether ranging leaves the radio as it is for others.
  var isPassive = false

  var dbusValue: DBusValue {
    var options: [(String, DBusValue)] = [("purpose", .string(purpose))]
    if let appID { options.append(("appId", .string(appID))) }
    // A daemon of an earlier version refuses an option that it does not know.
    if !requirements.isEmpty { options.append(("require", .strings(requirements))) }
    if isPassive { options.append(("passive", .boolean(true))) }
    return .options(options)
  }
}

extension Backoff {
  /// The pauses before a request is repeated to a daemon that runs but does not answer as expected.
  static let ofDaemon = Backoff(from: .seconds(1), to: .seconds(30))
}

extension DBusConnection {
  /// Calls a method of a session.
  func call(
    session: String, _ member: String, _ arguments: [DBusValue] = [], timeout: Span = .seconds(25),
    completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    callDaemon(session, MonitorNames.session, member, arguments, timeout: timeout, completion: completion)
  }

  /// Closes a session.
  func closeSession(_ path: String) {
    call(session: path, "Close") { _ in /* The session ends with the connection at the latest. */ }
  }
}
