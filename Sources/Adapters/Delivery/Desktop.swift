import DBus
import EventLoop

/// Shows notifications on a desktop: the Desktop Notifications Specification 1.2, `org.freedesktop.Notifications`.
public final class Desktop {
  private static let service = "org.freedesktop.Notifications"

  private let loop: Loop
  private let address: BusAddress
  private var connection: DBusConnection?
  private var waiting: [Notification] = []

  private struct Notification {
    let title: String
    let body: String
    /// Called with what went wrong, or nil.
    let completion: (String?) -> Void
  }

  /// Connects with the first notification: a device without a screen has no session bus and misses nothing.
  public init(_ loop: Loop, address: BusAddress) {
    self.loop = loop
    self.address = address
  }

  /// `completion` comes later, from the loop, with what went wrong, or nil.
  public func notify(title: String, body: String, completion: @escaping (String?) -> Void) {
    let notification = Notification(title: title, body: body, completion: completion)
    if let connection, connection.uniqueName != nil {
      send(notification, on: connection)
    } else {
      waiting.append(notification)
      connect()
    }
  }

  private func connect() {
    guard connection == nil else { return }
    do throws(DBusError) {
      let connection = try DBusConnection(loop: loop, address: address, persistence: .once)
      connection.onStateChange = { [unowned self] in connectionChanged($0) }
      self.connection = connection
    } catch {
      drop(error)
    }
  }

  private func connectionChanged(_ state: DBusConnection.State) {
    switch state {
    case .connecting: break
    case .connected:
      guard let connection else { return }
      for notification in waiting { send(notification, on: connection) }
      waiting = []
    case .disconnected(let reason):
      drop(reason)
      // The next notification tries again. Not inside the connection's own callback.
      let lost = connection
      connection = nil
      loop.enqueue { _ = lost }
    }
  }

  private func drop(_ reason: DBusError) {
    let dropped = waiting
    waiting = []
    loop.enqueue { for notification in dropped { notification.completion(reason.message) } }
  }

  private func send(_ notification: Notification, on connection: DBusConnection) {
    let letTheServerDecide = DBusValue.int32(-1)
    connection.call(
      destination: Self.service, path: "/org/freedesktop/Notifications", interface: Self.service, member: "Notify",
      [
        .string("beaconmon"), .uint32(0), .string("find-location-symbolic"), .string(notification.title),
        .string(Self.escaped(notification.body)), .strings([]), .options(["category": .string("presence")]), letTheServerDecide,
      ]
    ) { reply in
      if case .failure(let error) = reply { notification.completion("\(error)") } else { notification.completion(nil) }
    }
  }

  /// The body is markup to many servers.
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
