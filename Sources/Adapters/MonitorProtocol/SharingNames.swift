import DBus

/// The names of the bus interface of beaconmon-notifier for shares of positions.
public enum SharingNames {
  public static let bus = "org.beaconmon.Sharing1"
  public static let path = "/org/beaconmon/Sharing1"
  public static let interface = "org.beaconmon.Sharing1"
  public static let changed = "Changed"
  private static let errorPrefix = "org.beaconmon.Sharing1.Error."

  /// Returns an error of the interface.
  ///
  /// - Parameter reason: the error's name after the common prefix.
  public static func error(_ reason: String, _ message: String) -> DBusError {
    DBusError(name: errorPrefix + reason, message: message)
  }
}
