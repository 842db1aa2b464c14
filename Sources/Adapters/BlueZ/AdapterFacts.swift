import DBus

/// What BlueZ says about an adapter that is there.
struct AdapterFacts: Equatable, Sendable {
  /// `00:1A:7D:DA:71:13`: the name that stays, while hciN is given anew with every plug.
  let address: String
  var isPowered = false
  /// By rfkill: nobody can power it on. BlueZ before 5.65 does not tell, and a blocked adapter is just off.
  var isBlocked = false
  /// For any client.
  var isDiscovering = false
  /// AdvertisementMonitorManager1 is there: in BlueZ before 5.77 only with `bluetoothd --experimental`.
  var hasMonitors = false
  /// The controller matches monitors by itself, and reports a device once until it is lost.
  var offloadsMonitors = false

  init(address: String, isPowered: Bool = false) {
    self.address = address
    self.isPowered = isPowered
  }

  /// Of an object as ObjectManager shows it, `a{sa{sv}}`; nil for what is no adapter.
  init?(interfaces: DBusValue) {
    guard let properties = interfaces[BlueZName.adapter], let address = properties["Address"]?.string else { return nil }
    self.init(address: address)
    update(properties)
    updateMonitors(interfaces)
  }

  /// `a{sa{sv}}` of an object that has the interface, or does not.
  mutating func updateMonitors(_ interfaces: DBusValue) {
    let manager = interfaces[BlueZName.monitorManager]
    hasMonitors = manager != nil
    offloadsMonitors = manager?["SupportedFeatures"]?.strings?.contains("controller-patterns") ?? false
  }

  /// `a{sv}`; what is not in it stays.
  mutating func update(_ properties: DBusValue) {
    isPowered = properties["Powered"]?.boolean ?? isPowered
    isDiscovering = properties["Discovering"]?.boolean ?? isDiscovering
    isBlocked = properties["PowerState"]?.string.map { $0 == "off-blocked" } ?? isBlocked
  }
}
