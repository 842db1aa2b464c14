internal import CDBus

/// A D-Bus error: a name for programs, and a message for users.
public struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
  public var name: String
  public var message: String

  public init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  /// The message, then the name: `no such region (org.freedesktop.DBus.Error.Failed)`.
  public var description: String { message.isEmpty ? name : "\(message) (\(name))" }
}

// MARK: - Errors every bus knows (D-Bus specification, "Error names", and dbus-protocol.h)

extension DBusError {
  public static let standardPrefix = "org.freedesktop.DBus.Error."

  private static func standard(_ reason: String, _ message: String) -> DBusError {
    DBusError(name: standardPrefix + reason, message: message)
  }

  public func isStandard(_ reason: String) -> Bool { name == Self.standardPrefix + reason }

  public static func failed(_ message: String) -> DBusError { standard("Failed", message) }
  public static func accessDenied(_ message: String) -> DBusError { standard("AccessDenied", message) }
  public static func badAddress(_ message: String) -> DBusError { standard("BadAddress", message) }
  public static func disconnected(_ message: String) -> DBusError { standard("Disconnected", message) }
  public static func inconsistentMessage(_ message: String) -> DBusError { standard("InconsistentMessage", message) }
  public static func invalidArguments(_ message: String) -> DBusError { standard("InvalidArgs", message) }
  public static func limitsExceeded(_ message: String) -> DBusError { standard("LimitsExceeded", message) }
  public static func noReply(_ message: String) -> DBusError { standard("NoReply", message) }
  public static func noServer(_ message: String) -> DBusError { standard("NoServer", message) }
  public static func propertyReadOnly(_ message: String) -> DBusError { standard("PropertyReadOnly", message) }
  public static func unknownInterface(_ message: String) -> DBusError { standard("UnknownInterface", message) }
  public static func unknownMethod(_ message: String) -> DBusError { standard("UnknownMethod", message) }
  public static func unknownObject(_ message: String) -> DBusError { standard("UnknownObject", message) }
  public static func unknownProperty(_ message: String) -> DBusError { standard("UnknownProperty", message) }

  static let noMemory = standard("NoMemory", "libdbus is out of memory")
}

/// Calls a libdbus function that reports through an error structure, and frees that structure.
/// The error is nil if the function did not set it.
func withCError<Result>(_ body: (UnsafeMutablePointer<CDBus.DBusError>) -> Result) -> (result: Result, error: DBusError?) {
  var error = CDBus.DBusError()
  dbus_error_init(&error)
  defer { dbus_error_free(&error) }
  let result = body(&error)
  guard let name = error.name, let message = error.message else { return (result, nil) }
  return (result, DBusError(name: String(cString: name), message: String(cString: message)))
}
