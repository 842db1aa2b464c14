import DBus

/// The objects that BlueZ reads to monitor advertisements for this program; only this bluetoothd sees them.
/// A root lists the objects below it, and one monitor matches every iBeacon (org.bluez.AdvertisementMonitor(5)).
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
