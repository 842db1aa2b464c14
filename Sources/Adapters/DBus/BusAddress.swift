import Numerals

/// The bus to connect to.
public enum BusAddress: Hashable, Sendable {
  case system
  case session
  /// An address in the specification's syntax, `unix:path=/run/user/1000/bus`.
  /// Several addresses are separated by `;` and tried in order.
  case explicit(String)

  /// Returns the address in the specification's syntax.
  /// `DBUS_SYSTEM_BUS_ADDRESS` and `DBUS_SESSION_BUS_ADDRESS` take precedence; the system bus defaults to its well-known place and the
  /// session bus to XDG_RUNTIME_DIR.
  public func resolved(environment: [String: String]) throws(DBusError) -> String {
    switch self {
    case .explicit(let address):
      return address
    case .system:
      return environment.text("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
    case .session:
      if let address = environment.text("DBUS_SESSION_BUS_ADDRESS") { return address }
      if let folder = environment.text("XDG_RUNTIME_DIR") { return "unix:path=\(Self.escaped("\(folder)/bus"))" }
      throw .badAddress(
        "no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set; run the program in a session, or specify the address")
    }
  }

  /// Returns the value with each octet outside `[-0-9A-Za-z_/.\*]` as `%` and two hexadecimal digits.
  /// D-Bus specification, "Server addresses".
  static func escaped(_ value: String) -> String {
    var text = ""
    for octet in value.utf8 {
      let scalar = Unicode.Scalar(octet)
      if scalar.isASCII, scalar.properties.isAlphabetic || "0123456789-_/.\\*".unicodeScalars.contains(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "%" + Hexadecimal.digits(of: octet)
      }
    }
    return text
  }
}

extension [String: String] {
  /// Returns the variable if it is set and not empty.
  fileprivate func text(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
