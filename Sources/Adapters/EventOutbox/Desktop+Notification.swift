import DBus

/// `org.freedesktop.Notifications` of the Desktop Notifications Specification 1.2.
extension Desktop {
  /// Shows a notification; `completion` is called later from the loop, with an error or `nil`.
  func notify(title: String, body: String, completion: @escaping (DBusError?) -> Void) {
    let letTheServerDecide = DBusValue.int32(-1)
    make(
      Call(
        destination: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications", interface: "org.freedesktop.Notifications",
        member: "Notify",
        arguments: [
          .string("beaconmon"), .uint32(0), .string("find-location-symbolic"), .string(title), .string(Self.escaped(body)), .strings([]),
          .options(["category": .string("presence")]), letTheServerDecide,
        ], completion: completion))
  }

  /// Calls `body` once, when a notification service appears; never without a bus.
  func awaitNotifications(_ body: @escaping () -> Void) {
    awaitName("org.freedesktop.Notifications", body)
  }

  /// Returns the text with escapes, because many servers interpret the body as markup.
  private static func escaped(_ text: String) -> String {
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
