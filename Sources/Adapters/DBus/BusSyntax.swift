internal import CDBus
import Numerals

/// The syntax of names and types in the D-Bus specification ("Valid names").
/// libdbus ends a process that passes invalid text to it, so everything is checked here first.
enum BusSyntax {
  static func isPath(_ text: String) -> Bool { text.passes(dbus_validate_path) }
  static func isInterface(_ text: String) -> Bool { text.passes(dbus_validate_interface) }
  static func isMember(_ text: String) -> Bool { text.passes(dbus_validate_member) }
  static func isErrorName(_ text: String) -> Bool { text.passes(dbus_validate_error_name) }
  /// Returns whether the text is a bus name, unique (`:1.7`) or well-known.
  static func isBusName(_ text: String) -> Bool { text.passes(dbus_validate_bus_name) }
  /// Returns whether the text is a signature: any number of complete types, even none.
  static func isSignature(_ text: String) -> Bool { text.passes(dbus_signature_validate) }
  /// Returns whether the text is exactly one complete type.
  static func isSingleType(_ text: String) -> Bool { text.passes(dbus_signature_validate_single) }

  static func isUniqueName(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: ":") }
}

extension String {
  fileprivate func passes(
    _ validate: (UnsafePointer<CChar>?, UnsafeMutablePointer<CDBus.DBusError>?) -> dbus_bool_t
  ) -> Bool {
    // A NUL would end the C string, and libdbus would only check the text before it.
    !utf8.contains(0) && withCString { validate($0, nil) } != 0
  }
}

/// Object paths made of arbitrary text.
public enum ObjectPath {
  /// Returns one path element that stands for any text.
  /// ASCII letters and digits stay as they are, each other octet of the UTF-8 becomes `_` and two hexadecimal digits, and the empty text
  /// becomes `_`. Different texts give different elements. The encoding is that of sd_bus_path_encode(3), except that digits may lead.
  public static func element(for text: String) -> String {
    guard !text.isEmpty else { return "_" }
    var element = ""
    for octet in text.utf8 {
      switch octet {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
        element.unicodeScalars.append(Unicode.Scalar(octet))
      default:
        element += "_" + Hexadecimal.digits(of: octet)
      }
    }
    return element
  }
}
