/// How the adapters of this machine are heard.
public enum RadioWay: String, Hashable, Sendable, CaseIterable {
  /// Packet by packet from the kernel where this program may, otherwise through bluetoothd.
  case auto
  /// Through bluetoothd, without any privilege.
  case bluez
  /// Packet by packet from the kernel: every advertisement, at little cost, with CAP_NET_RAW.
  case hci
}
