import DBus
import HCI

/// An error of the requested backend, described in one line.
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
