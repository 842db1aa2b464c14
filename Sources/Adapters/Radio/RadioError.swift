import DBus
import HCI

/// Why this machine's adapters cannot be heard the way that was asked for. Printed as one line.
public enum RadioError: Error, Hashable, Sendable {
  case packets(HCIError)
  case bus(DBusError)
}

extension RadioError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .packets(let error): "\(error)"
    case .bus(let error): error.message
    }
  }
}
