import EventLoop

/// The Bluetooth adapters that the kernel has, as sysfs shows them (Documentation/ABI/stable/sysfs-class-bluetooth).
///
/// Needs no privilege and no Bluetooth socket, so that it also works in a service that may have neither.
public enum KernelAdapters {
  /// Returns whether at least one adapter is plugged in.
  ///
  /// bluetoothd cannot run without one: its unit is skipped where the folder is missing.
  ///
  /// - Parameter root: The folder of the class; its entries are adapters such as `hci0` and connections such as `hci0:11`.
  public static func isAnyPlugged(root: String = "/sys/class/bluetooth") -> Bool {
    Folder.names(in: root).contains { $0.hasPrefix("hci") && $0.dropFirst(3).utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }
}
