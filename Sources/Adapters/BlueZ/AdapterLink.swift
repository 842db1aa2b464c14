import DBus
import EventLoop
import Instants

/// One adapter object of one bluetoothd process: makes the calls of a plan, and takes the calls to its monitor.
final class AdapterLink {
  /// The object path, such as `/org/bluez/hci0`.
  let path: String
  var onMonitorRelease: () -> Void = {}
  /// Receives the path of a device each time that the adapter receives a device that the monitor matches.
  var onDeviceFound: (String) -> Void = { _ in }

  /// The time limit of a call: a hung controller fails a command after 2 s, and BlueZ retries some commands several times.
  private static let patience = Span.seconds(10)

  private unowned let connection: DBusConnection
  private let tree: ObjectTree
  private let purpose: DiscoveryPurpose
  private let service: String
  private var application: MonitorApplication?

  /// Links to an adapter; `service` is bluetoothd's unique name, so that no call reaches another process.
  init(_ connection: DBusConnection, _ tree: ObjectTree, _ purpose: DiscoveryPurpose, service: String, path: String) {
    self.connection = connection
    self.tree = tree
    self.purpose = purpose
    self.service = service
    self.path = path
  }

  /// The name of the adapter, such as `hci0`.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Makes the call of a step; `completion` gets nil for success, is called exactly once, and never from inside this call.
  func perform(_ step: DiscoveryPlan.Step, completion: @escaping (DBusError?) -> Void) {
    switch step {
    case .registerMonitor: registerMonitor(completion)
    case .unregisterMonitor:
      call(BlueZName.monitorManager, "UnregisterMonitor", [.objectPath(applicationPath)]) { [weak self] error in
        self?.application = nil
        completion(error)
      }
    case .setFilter:
      call(BlueZName.adapter, "SetDiscoveryFilter", [purpose.filter], completion)
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
          tree, path: applicationPath, for: service, purpose, onRelease: { [weak self] in self?.onMonitorRelease() },
          onDeviceFound: { [weak self] in self?.onDeviceFound($0) })
      }
    } catch {
      connection.loop.enqueue { completion(error) }
      return
    }
    call(BlueZName.monitorManager, "RegisterMonitor", [.objectPath(applicationPath)], completion)
  }

  private func setPowered(_ isPowered: Bool, _ completion: @escaping (DBusError?) -> Void) {
    call(StandardName.properties, "Set", [.string(BlueZName.adapter), .string("Powered"), .variant(.boolean(isPowered))], completion)
  }

  private func call(_ interface: String, _ member: String, _ arguments: [DBusValue], _ completion: @escaping (DBusError?) -> Void) {
    connection.call(destination: service, path: path, interface: interface, member: member, arguments, timeout: Self.patience) { reply in
      switch reply {
      case .success: completion(nil)
      case .failure(let error): completion(error)
      }
    }
  }
}

/// The objects that BlueZ reads to monitor advertisements for this program; only this bluetoothd sees them.
/// A root lists the objects below it, and one monitor matches every iBeacon and AltBeacon (org.bluez.AdvertisementMonitor(5)).
///
/// The monitor makes the kernel scan passively without filtering duplicates, and stops it from filtering them in an active scan.
final class MonitorApplication {
  let path: String
  private var objects: [ExportedObject] = []

  /// Exports the application at `path`, which may hold one at a time; releasing this object removes it.
  init(
    _ tree: ObjectTree, path: String, for service: String, _ purpose: DiscoveryPurpose, onRelease: @escaping () -> Void,
    onDeviceFound: @escaping (String) -> Void
  ) throws(DBusError) {
    self.path = path
    let monitorPath = "\(path)/ibeacon"
    objects = [
      try tree.export(path, [Self.manager(of: monitorPath, purpose)], for: .only(service)),
      try tree.export(monitorPath, [Self.monitor(purpose, onRelease, onDeviceFound)], for: .only(service)),
    ]
  }

  private static func manager(of monitor: String, _ purpose: DiscoveryPurpose) -> DBusInterface {
    let objects = DBusArgument("object_paths_interfaces_and_properties", "a{oa{sa{sv}}}")
    let interfaces = DBusValue.dictionary(
      key: "s", value: "a{sv}", [.init(.string(BlueZName.monitor), .options(purpose.monitorProperties.map { ($0.name, $0.value) }))])
    return DBusInterface(
      BlueZName.objectManager,
      methods: [
        DBusMethod("GetManagedObjects", out: [objects]) { _ in
          [.dictionary(key: "o", value: "a{sa{sv}}", [.init(.objectPath(monitor), interfaces)])]
        }
      ])
  }

  private static func monitor(
    _ purpose: DiscoveryPurpose, _ onRelease: @escaping () -> Void, _ onDeviceFound: @escaping (String) -> Void
  ) -> DBusInterface {
    let device = DBusArgument("device", "o")
    return DBusInterface(
      BlueZName.monitor,
      methods: [
        DBusMethod("Activate") { _ in [] },
        DBusMethod("Release") { _ in
          onRelease()
          return []
        },
        DBusMethod("DeviceFound", in: [device]) { call in
          if let path = call.arguments[0].objectPath { onDeviceFound(path) }
          return []
        },
        DBusMethod("DeviceLost", in: [device]) { _ in [] },
      ],
      properties: purpose.monitorProperties.map { property in
        DBusProperty(property.name, property.value.signature, change: .constant) { property.value }
      })
  }
}
