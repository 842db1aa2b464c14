internal import CDBus

/// Which texts the D-Bus specification allows where ("Valid names"). libdbus ends the process that hands it any other, so everything is
/// checked here first.
enum BusSyntax {
  static func isPath(_ text: String) -> Bool { text.passes(dbus_validate_path) }
  static func isInterface(_ text: String) -> Bool { text.passes(dbus_validate_interface) }
  static func isMember(_ text: String) -> Bool { text.passes(dbus_validate_member) }
  static func isErrorName(_ text: String) -> Bool { text.passes(dbus_validate_error_name) }
  /// Unique (`:1.7`) or well-known.
  static func isBusName(_ text: String) -> Bool { text.passes(dbus_validate_bus_name) }
  /// Any number of complete types, also none.
  static func isSignature(_ text: String) -> Bool { text.passes(dbus_signature_validate) }
  /// Exactly one complete type.
  static func isSingleType(_ text: String) -> Bool { text.passes(dbus_signature_validate_single) }

  static func isUniqueName(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: ":") }
}

extension String {
  fileprivate func passes(
    _ validate: (UnsafePointer<CChar>?, UnsafeMutablePointer<CDBus.DBusError>?) -> dbus_bool_t
  ) -> Bool {
    // A NUL would end the C string, and only what is before it would be looked at.
    !utf8.contains(0) && withCString { validate($0, nil) } != 0
  }
}

/// Object paths made of texts that people choose.
public enum ObjectPath {
  /// One element of a path that stands for any text: ASCII letters and digits as they are, each other octet of the UTF-8 as `_` and two
  /// hexadecimal digits, the empty text as `_`. Different texts give different elements. As sd_bus_path_encode(3), but digits may lead.
  public static func element(for text: String) -> String {
    guard !text.isEmpty else { return "_" }
    var element = ""
    for octet in text.utf8 {
      switch octet {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
        element.unicodeScalars.append(Unicode.Scalar(octet))
      default:
        element += "_" + (octet < 16 ? "0" : "") + String(octet, radix: 16)
      }
    }
    return element
  }
}
