import DBus

extension DBusError {
  /// Returns an error of the interface.
  ///
  /// - Parameter reason: the error's name after the common prefix.
  public static func monitor(_ reason: String, _ message: String) -> DBusError {
    DBusError(name: MonitorNames.errorPrefix + reason, message: message)
  }
}
