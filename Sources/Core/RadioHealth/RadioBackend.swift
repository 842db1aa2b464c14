/// The interface through which the adapters of this machine receive advertisements.
public enum RadioBackend: String, Hashable, Sendable, CaseIterable {
  /// Raw packets from the kernel if permitted, otherwise bluetoothd.
  case auto
  /// Reports from bluetoothd, without any privilege.
  case bluez
  /// Raw packets from the kernel: every advertisement, at low cost, with CAP_NET_RAW.
  case hci
}
