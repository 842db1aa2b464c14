import ConsentService
import DBus
import EventLoop
import Instants

/// The dialogs of polkit, which asks the user, or an administrator, on the desktop.
///
/// Source: polkit's reference, org.freedesktop.PolicyKit1.Authority.
public final class Polkit: ConsentDialog {
  /// The time that a person has for an answer.
  private static let patience = Span.seconds(300)

  private let connection: DBusConnection

  public init(_ connection: DBusConnection) {
    self.connection = connection
  }

  /// Asks polkit, and calls `completion` with the answer.
  ///
  /// - Parameters:
  ///   - busName: the unique name of the client; the bus tells polkit its user.
  ///   - details: the values of `$(app)` and `$(purpose)` in the messages of the action. They are claims of the client.
  public func ask(
    _ question: DialogQuestion, for busName: String, details: [(String, String)], completion: @escaping (DialogAnswer) -> Void
  ) {
    let subject = DBusValue.structure([.string("system-bus-name"), .options(["name": .string(busName)])])
    let texts = DBusValue.dictionary(key: "s", value: "s", details.map { .init(.string($0.0), .string($0.1)) })
    let allowUserInteraction: UInt32 = 1
    connection.call(
      destination: "org.freedesktop.PolicyKit1", path: "/org/freedesktop/PolicyKit1/Authority",
      interface: "org.freedesktop.PolicyKit1.Authority", member: "CheckAuthorization",
      [subject, .string(question.action), texts, .uint32(allowUserInteraction), .string("")], timeout: Self.patience
    ) { reply in
      switch reply {
      case .success(let values): completion(DialogAnswer(values.first))
      case .failure: completion(.unavailable)
      }
    }
  }
}

extension DialogQuestion {
  /// The name in config/polkit.
  fileprivate var action: String {
    switch self {
    case .whenInUse: "org.beaconmon.monitor.when-in-use"
    case .always: "org.beaconmon.monitor.always"
    case .manage: "org.beaconmon.monitor.manage"
    case .resetLearning: "org.beaconmon.monitor.reset-learning"
    case .editVenues: "org.beaconmon.venue.edit"
    }
  }
}

extension DialogAnswer {
  /// Decodes `(bba{ss})`: is authorized, would be after a dialog, details.
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
