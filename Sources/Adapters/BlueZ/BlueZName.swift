import DBus

/// The names of BlueZ's objects and interfaces on the bus (its doc/org.bluez.*.rst).
enum BlueZName {
  static let service = "org.bluez"
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let monitor = "org.bluez.AdvertisementMonitor1"
  static let monitorManager = "org.bluez.AdvertisementMonitorManager1"
  static let advertisement = "org.bluez.LEAdvertisement1"
  static let advertisingManager = "org.bluez.LEAdvertisingManager1"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
}

extension DBusError {
  /// Returns whether this is BlueZ's own error with a reason such as `InProgress`, `NotReady` or `Failed`.
  func isBlueZ(_ reason: String) -> Bool { name == "org.bluez.Error.\(reason)" }
}
