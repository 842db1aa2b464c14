import DBus
import EventLoop
import Instants

/// The objects of one life of bluetoothd: all there are once, then each that comes and goes.
final class BlueZObjects {
  enum Change {
    /// Interfaces and their properties, `a{sa{sv}}`. `isNew` is false for what was there before anybody asked.
    case added(path: String, interfaces: DBusValue, isNew: Bool)
    case removed(path: String, interfaces: [String])
  }

  /// The bluetoothd's unique name.
  let service: String
  private unowned let connection: DBusConnection
  private let handler: (Change) -> Void
  private var subscription: SignalSubscription?
  private var backoff = Backoff(from: .milliseconds(500), to: .seconds(4))
  private lazy var retry = connection.loop.timer { [unowned self] in list() }

  init(_ connection: DBusConnection, service: String, handler: @escaping (Change) -> Void) {
    self.connection = connection
    self.service = service
    self.handler = handler
    let rule = MatchRule(sender: service, path: "/", interface: BlueZName.objectManager)
    subscription = connection.addMatch(rule) { [unowned self] in receive($0) }
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
      var random = SystemRandomNumberGenerator()
      retry.arm(after: backoff.next(using: &random))
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
    default: break
    }
  }
}
