/// The framing of the packets in a btsnoop capture; the raw values are those of the file header.
enum BtsnoopDataLink: UInt32, Sendable {
  /// HCI packets without their packet type; the record's flags hold direction and type.
  case hci = 1001
  /// HCI packets that start with the packet type octet of an H4 transport.
  case h4 = 1002
  /// Linux monitor: the lower half of the flags holds the opcode, the upper half the controller's index.
  case linuxMonitor = 2001
}
