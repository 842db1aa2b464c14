import DBus
import Failures

extension Flags {
  /// The flags that choose a bus.
  public static let busValued = ["bus"]
  public static let busPlain = ["session", "system"]

  /// Returns the bus of `--bus ADDRESS`, `--session` or `--system`, which is the default.
  public func busAddress() throws(Failure) -> BusAddress {
    guard [has("bus"), has("session"), has("system")].count(where: \.self) <= 1 else {
      throw Failure(.usage, "--bus, --session and --system cannot be combined")
    }
    if let address = self["bus"] { return .explicit(address) }
    return has("session") ? .session : .system
  }
}
