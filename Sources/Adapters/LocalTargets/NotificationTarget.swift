import DBus
import DeliveryScheduling
import EventActions

/// Shows a desktop notification for each event, and waits for a missing session or notification service.
public final class NotificationTarget: ReturningTarget {
  public var onReturn: () -> Void = {}

  private let desktop: Desktop
  private let title: Template
  private let body: Template

  public init(on desktop: Desktop, title: Template, body: Template) {
    self.desktop = desktop
    self.title = title
    self.body = body
  }

  public func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    desktop.notify(title: title.text(for: delivery.event), body: body.text(for: delivery.event)) { [weak self] error in
      guard let error else { return completion(.delivered) }
      guard Self.isAbsence(error) else { return completion(.refused("not shown: \(error)")) }
      self?.awaitService()
      completion(.failed("not shown: \(error)"))
    }
  }

  private func awaitService() {
    desktop.awaitNotifications { [weak self] in self?.onReturn() }
  }

  /// Returns whether an error means that there is no service. A service that does not answer may have shown the notification.
  static func isAbsence(_ error: DBusError) -> Bool {
    ["ServiceUnknown", "NameHasNoOwner", "NoServer", "Disconnected"].contains { error.isStandard($0) }
      || error.name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
  }
}

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
        ], completion: { completion($0.failure) }))
  }

  /// Calls `body` once, when a notification service appears; never without a bus.
  func awaitNotifications(_ body: @escaping () -> Void) {
    awaitName("org.freedesktop.Notifications", body)
  }

  /// Returns the text with escapes, because many servers interpret the body as markup.
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
