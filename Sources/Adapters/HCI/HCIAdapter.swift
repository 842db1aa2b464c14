import Beacons
import CBluetooth
import EventLoop
import Glibc

/// A Bluetooth adapter that the kernel knows at this moment.
public struct HCIAdapter: Hashable, Sendable {
  /// The N of hciN; another adapter may get it after this one was unplugged.
  public let index: UInt16
  /// The address of the adapter; all zero for a moment after the adapter was plugged in.
  public let address: BluetoothAddress
  public let isOn: Bool
  /// Whether rfkill blocks the adapter.
  public let isBlocked: Bool

  public var name: String { "hci\(index)" }

  /// Returns the adapters in the order of their numbers; needs no privilege.
  /// The kernel lists at most sixteen.
  public static func all() throws(HCIError) -> [HCIAdapter] {
    let socket = try HCISocket.unbound()
    var list = hci_adapter_list()
    list.count = UInt16(HCI_MAX_DEV)
    guard hci_get_adapter_list(socket.descriptor, &list) == 0 else { throw .systemCall(.last("ioctl HCIGETDEVLIST")) }
    let count = Int(list.count)
    let indices = withUnsafeBytes(of: &list.adapters) { $0.bindMemory(to: hci_dev_req.self).prefix(count).map(\.dev_id) }
    var adapters: [HCIAdapter] = []
    for index in indices.sorted() {
      var information = hci_dev_info()
      information.dev_id = index
      // Unplugged since it was listed.
      guard hci_get_adapter(socket.descriptor, &information) == 0 else { continue }
      adapters.append(HCIAdapter(information))
    }
    return adapters
  }

}

extension HCIAdapter {
  private init(_ information: hci_dev_info) {
    self.init(
      index: information.dev_id, address: BluetoothAddress(information.bdaddr), isOn: information.isOn,
      isBlocked: RFKill.isBlocked("hci\(information.dev_id)"))
  }
}

extension BluetoothAddress {
  fileprivate init(_ address: bdaddr_t) {
    self.init(reversed: withUnsafeBytes(of: address.b, Array.init))
  }
}

/// Reads the rfkill state of an adapter (Documentation/ABI/stable/sysfs-class-rfkill of the kernel); needs no privilege.
enum RFKill {
  /// Returns whether a program or a switch blocks the adapter; also false if the state is unknown.
  ///
  /// - Parameter root: the path of /sys/class/rfkill.
  static func isBlocked(_ adapter: String, root: String = "/sys/class/rfkill") -> Bool {
    let names = Folder.names(in: root)
    guard let name = names.first(where: { first(of: "\(root)/\($0)/name") == adapter }) else { return false }
    return ["soft", "hard"].contains { first(of: "\(root)/\(name)/\($0)") == "1" }
  }

  /// Returns the first line of a small file, or an empty string if the file cannot be read.
  private static func first(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &octets, octets.count)
    return String(decoding: octets.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
