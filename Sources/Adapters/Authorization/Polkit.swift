import Consent
import DBus
import EventLoop
import Instants

/// polkit, which asks the user, or an administrator, in a dialog of the desktop. org.freedesktop.PolicyKit1.Authority in polkit's reference.
public final class Polkit {
  public enum Action: String, Sendable {
    case whenInUse = "org.beaconmon.monitor.when-in-use"
    case always = "org.beaconmon.monitor.always"
    /// To decide for others.
    case manage = "org.beaconmon.monitor.manage"
  }

  public enum Answer: Equatable, Sendable {
    case yes
    case no
    /// The dialog was closed without a decision.
    case dismissed
    /// There is no polkit, or nobody whom it could ask.
    case unavailable
  }

  /// People take their time.
  private static let patience = Span.seconds(300)

  private let connection: DBusConnection

  public init(_ connection: DBusConnection) {
    self.connection = connection
  }

  /// - Parameters:
  ///   - busName: the unique name of whoever wants it; the bus tells polkit who that is.
  ///   - details: what the messages of the action speak of, `$(app)` and `$(purpose)`. Claims of the caller.
  public func ask(
    _ action: Action, for busName: String, details: [(String, String)] = [], completion: @escaping (Answer) -> Void
  ) {
    let subject = DBusValue.structure([.string("system-bus-name"), .options(["name": .string(busName)])])
    let texts = DBusValue.dictionary(key: "s", value: "s", details.map { .init(.string($0.0), .string($0.1)) })
    let allowUserInteraction: UInt32 = 1
    connection.call(
      destination: "org.freedesktop.PolicyKit1", path: "/org/freedesktop/PolicyKit1/Authority",
      interface: "org.freedesktop.PolicyKit1.Authority", member: "CheckAuthorization",
      [subject, .string(action.rawValue), texts, .uint32(allowUserInteraction), .string("")], timeout: Self.patience
    ) { reply in
      switch reply {
      case .success(let values): completion(Answer(values.first))
      case .failure: completion(.unavailable)
      }
    }
  }
}

extension Polkit.Answer {
  /// `(bba{ss})`: is authorized, could be if somebody were asked, details.
  fileprivate init(_ result: DBusValue?) {
    let parts = result?.elements ?? []
    guard parts.count == 3, let isAuthorized = parts[0].boolean, let isChallenge = parts[1].boolean else {
      self = .unavailable
      return
    }
    let isDismissed = parts[2]["polkit.dismissed"] != nil
    self = isAuthorized ? .yes : isDismissed ? .dismissed : isChallenge ? .unavailable : .no
  }
}
