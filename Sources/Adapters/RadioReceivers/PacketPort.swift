import BlueZ
import EventLoop
import HCI

/// The access to adapters in the kernel, which tests replace.
struct PacketPort {
  var adapters: () throws(HCIError) -> [HCIAdapter]
  /// Returns whether the kernel has an adapter, without a privilege or a Bluetooth socket.
  var isAnyAdapterPlugged: () -> Bool
  /// Opens an adapter; the number identifies it in sightings.
  var open: (HCIAdapter, UInt16) throws(HCIError) -> HCISource
  /// Calls back after changes of the list of adapters, until the result is released.
  var watch: (@escaping () -> Void) throws(HCIError) -> AnyObject

  static func kernel(_ loop: Loop) -> PacketPort {
    PacketPort(
      adapters: { () throws(HCIError) in try HCIAdapter.all() },
      isAnyAdapterPlugged: { KernelAdapters.isAnyPlugged() },
      open: { (adapter, number) throws(HCIError) in try HCISource(loop, adapter: adapter, number: number) },
      watch: { (onChange) throws(HCIError) in try AdapterWatch(loop, onChange: onChange) })
  }
}
