import DBus

extension DBusError {
  /// An error of the interface, with its name after the common prefix.
  public static func monitor(_ reason: String, _ message: String) -> DBusError {
    DBusError(name: MonitorNames.errorPrefix + reason, message: message)
  }
}
