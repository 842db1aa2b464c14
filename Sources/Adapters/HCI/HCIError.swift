import EventLoop
import Glibc
import Numerals

/// The reason why an adapter cannot be received over HCI; its description is one line: place, fault and remedy.
public enum HCIError: Error, Hashable, Sendable {
  /// The kernel has no Bluetooth, or the unit hides it.
  case noBluetooth
  case noAdapter(String)
  /// The adapter was unplugged.
  case gone(String)
  /// The program that wrote packets to the descriptor closed it.
  case ended(String)
  case missing(Capability, place: String, purpose: String)
  /// The adapter is off, and this program does not switch it on.
  case off(String)
  /// rfkill blocks the adapter.
  case blocked(String)
  case command(String, adapter: String, status: UInt8)
  case noAnswer(String, adapter: String)
  case systemCall(SystemCallError)
}

extension HCIError: CustomStringConvertible {
  public var description: String { text(namesSystemctl: true) }

  /// Returns the error as one line.
  ///
  /// - Parameter namesSystemctl: false for a user whose daemon is not a service of the system.
  public func text(namesSystemctl: Bool) -> String {
    switch self {
    case .noBluetooth:
      "Bluetooth: the kernel has no Bluetooth sockets; load the module \"bluetooth\""
        + (namesSystemctl ? ", or for the service \(Capability.dropIn)" : "")
    case .noAdapter(let name): "\(name): there is no such adapter; plug it in, or select one that \"beaconmon status\" lists"
    case .gone(let name): "\(name): the adapter was unplugged; plug it in again"
    case .ended(let name): "\(name): the connection was closed; restart the program that sends packets"
    case .missing(let capability, let place, let purpose): "\(place): \(purpose) needs \(capability.rawValue); \(capability.advice())"
    case .off(let name): "\(name): the adapter is off; run \"bluetoothctl power on\""
    case .blocked(let name): "\(name): the adapter is blocked; run \"rfkill unblock bluetooth\""
    case .command(let command, let adapter, let status):
      "\(adapter): the controller rejected \(command) with status 0x\(Hexadecimal.digits(of: status, uppercase: true)); unplug the adapter and plug it in again"
    case .noAnswer(let command, let adapter):
      "\(adapter): the controller does not respond to \(command); unplug the adapter and plug it in again"
    case .systemCall(let error): "HCI: \(error); check the adapter with \"bluetoothctl show\""
    }
  }
}
