/// Which bus to talk to.
public enum BusAddress: Hashable, Sendable {
  case system
  case session
  /// In the specification's syntax, `unix:path=/run/user/1000/bus`; several are separated by `;` and tried in order.
  case explicit(String)

  /// The address in the specification's syntax. `DBUS_SYSTEM_BUS_ADDRESS` and `DBUS_SESSION_BUS_ADDRESS` go first; then the system bus is
  /// at its well-known place and the session bus in XDG_RUNTIME_DIR.
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
        "no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set; run inside a session or give the address")
    }
  }

  /// What is not in `[-0-9A-Za-z_/.\*]` becomes `%` and two hexadecimal digits (D-Bus specification, "Server addresses").
  static func escaped(_ value: String) -> String {
    var text = ""
    for octet in value.utf8 {
      let scalar = Unicode.Scalar(octet)
      if scalar.isASCII, scalar.properties.isAlphabetic || "0123456789-_/.\\*".unicodeScalars.contains(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "%" + (octet < 16 ? "0" : "") + String(octet, radix: 16)
      }
    }
    return text
  }
}

extension [String: String] {
  /// Set and not empty.
  fileprivate func text(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
