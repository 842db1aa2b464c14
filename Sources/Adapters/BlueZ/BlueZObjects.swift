import DBus
import EventLoop
import Instants

/// The objects of one bluetoothd process.
/// The owner gets the existing objects first, then additions, removals and the changes of followed interfaces.
final class BlueZObjects {
  enum Change {
    /// An object with interfaces and their properties, `a{sa{sv}}`; `isNew` is false for objects of the first listing.
    case added(path: String, interfaces: DBusValue, isNew: Bool)
    case removed(path: String, interfaces: [String])
    /// Changed properties of one followed interface, `a{sv}`.
    case changed(path: String, interface: String, properties: DBusValue)
  }

  /// The unique name of bluetoothd.
  let service: String
  private unowned let connection: DBusConnection
  private let handler: (Change) -> Void
  private var subscriptions: [SignalSubscription] = []
  private var backoff = Backoff(from: .milliseconds(500), to: .seconds(4))
  private lazy var retry = connection.loop.timer { [unowned self] in list() }

  /// Lists the objects of a bluetoothd and reports changes of the interfaces `followed`.
  init(_ connection: DBusConnection, service: String, following followed: [String], handler: @escaping (Change) -> Void) {
    self.connection = connection
    self.service = service
    self.handler = handler
    // One rule for all paths from the start: a new adapter is powered a moment later, and a rule for its own path would be too late.
    let changes = followed.map { interface in
      MatchRule(
        sender: service, pathNamespace: "/org/bluez", interface: StandardName.properties, member: "PropertiesChanged", argument0: interface)
    }
    subscriptions = ([MatchRule(sender: service, path: "/", interface: BlueZName.objectManager)] + changes).map { rule in
      connection.addMatch(rule) { [unowned self] in receive($0) }
    }
    list()
  }

  private func list() {
    connection.call(destination: service, path: "/", interface: BlueZName.objectManager, member: "GetManagedObjects") { [weak self] in
      self?.receiveList($0)
    }
  }

  private func receiveList(_ reply: Result<[DBusValue], DBusError>) {
    switch reply {
    case .success(let values):
      for entry in values.first?.entries ?? [] {
        if let path = entry.key.objectPath { handler(.added(path: path, interfaces: entry.value, isNew: false)) }
      }
    case .failure:
      // bluetoothd is busy starting; one that has gone takes this object with it.
      retry.arm(after: &backoff)
    }
  }

  private func receive(_ signal: DBusMessage) {
    switch (signal.member, signal.signature) {
    case ("InterfacesAdded", "oa{sa{sv}}"):
      guard let path = signal.arguments[0].objectPath else { return }
      handler(.added(path: path, interfaces: signal.arguments[1], isNew: true))
    case ("InterfacesRemoved", "oas"):
      guard let path = signal.arguments[0].objectPath else { return }
      handler(.removed(path: path, interfaces: signal.arguments[1].strings ?? []))
    case ("PropertiesChanged", "sa{sv}as"):
      guard let path = signal.path, let interface = signal.arguments[0].string else { return }
      handler(.changed(path: path, interface: interface, properties: signal.arguments[1]))
    default: break
    }
  }
}
