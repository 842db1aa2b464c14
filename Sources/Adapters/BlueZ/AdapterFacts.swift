import Beacons
import DBus

/// The properties of an adapter that BlueZ lists.
struct AdapterFacts: Equatable, Sendable {
  /// The address, which stays the same, while the N of hciN changes with every plug.
  let address: BluetoothAddress
  var isPowered = false
  /// Whether rfkill blocks the adapter, so that no program can power it on.
  /// BlueZ before 5.65 does not report it; there a blocked adapter is just off.
  var isBlocked = false
  /// Whether the adapter discovers, for any client.
  var isDiscovering = false
  /// Whether AdvertisementMonitorManager1 exists: in BlueZ before 5.77 only with `bluetoothd --experimental`.
  var hasMonitors = false
  /// Whether the controller itself matches monitors, and reports a device once until it is lost.
  var offloadsMonitors = false

  init(address: BluetoothAddress, isPowered: Bool = false) {
    self.address = address
    self.isPowered = isPowered
  }

  /// Parses an object as ObjectManager shows it, `a{sa{sv}}`; nil for an object that is not an adapter.
  init?(interfaces: DBusValue) {
    guard let properties = interfaces[BlueZName.adapter], let address = properties["Address"]?.string.flatMap({ BluetoothAddress($0) })
    else { return nil }
    self.init(address: address)
    update(properties)
    updateMonitors(interfaces)
  }

  /// Updates `hasMonitors` from the interfaces of an object, `a{sa{sv}}`.
  mutating func updateMonitors(_ interfaces: DBusValue) {
    let manager = interfaces[BlueZName.monitorManager]
    hasMonitors = manager != nil
    offloadsMonitors = manager?["SupportedFeatures"]?.strings?.contains("controller-patterns") ?? false
  }

  /// Updates from changed properties, `a{sv}`; missing properties keep their values.
  mutating func update(_ properties: DBusValue) {
    isPowered = properties["Powered"]?.boolean ?? isPowered
    isDiscovering = properties["Discovering"]?.boolean ?? isDiscovering
    isBlocked = properties["PowerState"]?.string.map { $0 == "off-blocked" } ?? isBlocked
  }
}
