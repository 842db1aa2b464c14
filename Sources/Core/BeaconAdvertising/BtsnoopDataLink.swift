/// How the packets of a btsnoop capture are framed. The numbers are those of the file header.
enum BtsnoopDataLink: UInt32, Sendable {
  /// HCI packets without their packet type; direction and type are in the record's flags.
  case hci = 1001
  /// HCI packets with the packet type octet of an H4 transport first.
  case h4 = 1002
  /// Linux monitor: the flags hold the opcode in their lower and the controller's index in their upper half.
  case linuxMonitor = 2001
}
