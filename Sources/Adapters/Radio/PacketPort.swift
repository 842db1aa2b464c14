import BlueZ
import EventLoop
import HCI

/// What of the kernel the packets need: which adapters there are, and how one is heard. Tests have a kernel of their own.
struct PacketPort {
  var adapters: () throws(HCIError) -> [HCIAdapter]
  /// Whether the kernel has an adapter, without asking for anything that takes a privilege or a Bluetooth socket.
  var isAnyAdapterPlugged: () -> Bool
  /// The number is what its sightings carry.
  var open: (HCIAdapter, UInt16) throws(HCIError) -> HCISource
  /// Calls when the adapters are to be asked for again, while what it returns is held.
  var watch: (@escaping () -> Void) throws(HCIError) -> AnyObject

  static func kernel(_ loop: Loop) -> PacketPort {
    PacketPort(
      adapters: { () throws(HCIError) in try HCIAdapter.all() },
      isAnyAdapterPlugged: { KernelAdapters.isAnyPlugged() },
      open: { (adapter, number) throws(HCIError) in try HCISource(loop, adapter: adapter, number: number) },
      watch: { (onChange) throws(HCIError) in try AdapterWatch(loop, onChange: onChange) })
  }
}
