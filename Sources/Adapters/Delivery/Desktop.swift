import DBus
import Logging

/// Shows notifications on a desktop: the Desktop Notifications Specification 1.2, `org.freedesktop.Notifications`.
public final class Desktop {
  private static let service = "org.freedesktop.Notifications"

  private let connection: DBusConnection?
  private let log: Logger

  /// Without a connection, notifications are logged as not shown: a device without a screen.
  public init(_ connection: DBusConnection?, log: Logger) {
    self.connection = connection
    self.log = log
  }

  public func notify(title: String, body: String) {
    guard let connection else {
      log.warning("notification \"\(title)\" is not shown: there is no session bus here")
      return
    }
    let letTheServerDecide = DBusValue.int32(-1)
    connection.call(
      destination: Self.service, path: "/org/freedesktop/Notifications", interface: Self.service, member: "Notify",
      [
        .string("beaconmon"), .uint32(0), .string("find-location-symbolic"), .string(title), .string(Self.escaped(body)), .strings([]),
        .options(["category": .string("presence")]), letTheServerDecide,
      ]
    ) { [log] reply in
      if case .failure(let error) = reply { log.warning("notification \"\(title)\" was not shown: \(error)") }
    }
  }

  /// The body is markup to many servers.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
