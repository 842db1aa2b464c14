import DBus
import EventLoop
import Instants

/// One adapter object of one life of bluetoothd: what it signals, and the calls that a plan wants.
///
/// The bus delivers only what belongs to this object and the devices below it.
final class AdapterLink {
  /// `/org/bluez/hci0`.
  let path: String
  /// Adapter1's properties that changed, `a{sv}`.
  var onAdapterChange: (DBusValue) -> Void = { _ in }
  /// A device's path, and its properties that changed, `a{sv}`.
  var onDeviceChange: (String, DBusValue) -> Void = { _, _ in }
  var onMonitorRelease: () -> Void = {}
  /// A device's path, each time that it is heard and the monitor matches it.
  var onDeviceFound: (String) -> Void = { _ in }

  /// A hung controller fails a command after 2 s, and BlueZ tries some several times.
  private static let patience = Span.seconds(10)

  private unowned let connection: DBusConnection
  private let tree: ObjectTree
  private let service: String
  private var subscriptions: [SignalSubscription] = []
  private var application: MonitorApplication?

  /// `service` is bluetoothd's unique name: nothing of this reaches another one.
  init(_ connection: DBusConnection, _ tree: ObjectTree, service: String, path: String) {
    self.connection = connection
    self.tree = tree
    self.service = service
    self.path = path
    subscriptions = [
      subscribe(MatchRule(path: path, argument0: BlueZName.adapter)) { [unowned self] in onAdapterChange($1) },
      subscribe(MatchRule(pathNamespace: path, argument0: BlueZName.device)) { [unowned self] in onDeviceChange($0, $1) },
    ]
  }

  /// `hci0`.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// `completion` is called exactly once and never from inside this call; nil for success.
  func perform(_ step: DiscoveryPlan.Step, completion: @escaping (DBusError?) -> Void) {
    switch step {
    case .registerMonitor: registerMonitor(completion)
    case .unregisterMonitor:
      call(BlueZName.monitorManager, "UnregisterMonitor", [.objectPath(applicationPath)]) { [weak self] error in
        self?.application = nil
        completion(error)
      }
    case .setFilter:
      // Any RSSI at all: asking for one is what makes BlueZ signal each of them, and duplicates are what makes it signal data again.
      let filter = DBusValue.options(["Transport": .string("le"), "DuplicateData": .boolean(true), "RSSI": .int16(-127)])
      call(BlueZName.adapter, "SetDiscoveryFilter", [filter], completion)
    case .startDiscovery: call(BlueZName.adapter, "StartDiscovery", [], completion)
    case .stopDiscovery: call(BlueZName.adapter, "StopDiscovery", [], completion)
    case .powerOff: setPowered(false, completion)
    case .powerOn: setPowered(true, completion)
    }
  }

  private var applicationPath: String { "/org/beaconmon/BlueZ/\(ObjectPath.element(for: name))" }

  private func registerMonitor(_ completion: @escaping (DBusError?) -> Void) {
    do {
      if application == nil {
        application = try MonitorApplication(
          tree, path: applicationPath, for: service, onRelease: { [weak self] in self?.onMonitorRelease() },
          onDeviceFound: { [weak self] in self?.onDeviceFound($0) })
      }
    } catch {
      connection.loop.enqueue { completion(error) }
      return
    }
    call(BlueZName.monitorManager, "RegisterMonitor", [.objectPath(applicationPath)], completion)
  }

  private func setPowered(_ isPowered: Bool, _ completion: @escaping (DBusError?) -> Void) {
    call(BlueZName.properties, "Set", [.string(BlueZName.adapter), .string("Powered"), .variant(.boolean(isPowered))], completion)
  }

  private func call(_ interface: String, _ member: String, _ arguments: [DBusValue], _ completion: @escaping (DBusError?) -> Void) {
    connection.call(destination: service, path: path, interface: interface, member: member, arguments, timeout: Self.patience) { reply in
      switch reply {
      case .success: completion(nil)
      case .failure(let error): completion(error)
      }
    }
  }

  private func subscribe(_ place: MatchRule, handler: @escaping (String, DBusValue) -> Void) -> SignalSubscription {
    var rule = place
    rule.sender = service
    rule.interface = BlueZName.properties
    rule.member = "PropertiesChanged"
    return connection.addMatch(rule) { signal in
      guard signal.signature == "sa{sv}as", let path = signal.path else { return }
      handler(path, signal.arguments[1])
    }
  }
}
