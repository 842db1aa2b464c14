import CBluetooth
import EventLoop
import Glibc

/// The kernel's end of an adapter: packets out, commands in.
///
/// Every packet is one message with its packet type octet first (Bluetooth Core Specification 5.4, Volume 4, Part A, 2).
struct HCISocket: ~Copyable {
  /// What the kernel hands over; everything else costs this process nothing.
  enum Filter {
    /// LE Meta events.
    case reports
    /// Those, and the answers to commands.
    case reportsAndAnswers
  }

  private let file: FileDescriptor
  /// `hci0`, or what the owner of a passed descriptor calls it.
  let name: String
  /// False for a descriptor that was passed: what comes through it is nobody's to filter.
  private let hasFilter: Bool

  var descriptor: CInt { file.number }

  /// Bound to no adapter, for questions about all of them.
  static func unbound() throws(HCIError) -> HCISocket {
    HCISocket(try open(), name: "Bluetooth", hasFilter: false)
  }

  /// Hears one adapter beside everybody else who does.
  static func hearing(_ index: UInt16) throws(HCIError) -> HCISocket {
    let socket = HCISocket(try open(), name: "hci\(index)", hasFilter: true)
    try socket.bind(to: index)
    try socket.setFilter(.reports)
    socket.makeRoom()
    return socket
  }

  /// Packets as an HCI socket gives them, from whatever is at the other end of a SOCK_SEQPACKET.
  static func taking(_ packets: consuming FileDescriptor, name: String) throws(HCIError) -> HCISocket {
    let socket = HCISocket(packets, name: name, hasFilter: false)
    do throws(SystemCallError) {
      try socket.file.setNonBlocking()
    } catch {
      throw .systemCall(error)
    }
    return socket
  }

  private init(_ file: consuming FileDescriptor, name: String, hasFilter: Bool) {
    self.file = file
    self.name = name
    self.hasFilter = hasFilter
  }

  private func bind(to index: UInt16) throws(HCIError) {
    var address = sockaddr_hci(hci_family: sa_family_t(AF_BLUETOOTH), hci_dev: index, hci_channel: UInt16(HCI_CHANNEL_RAW))
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(file.number, $0, socklen_t(MemoryLayout<sockaddr_hci>.size))
      }
    }
    guard status == 0 else { throw errno == ENODEV ? .noAdapter(name) : .systemCall(.last("bind", name)) }
  }

  private static func open() throws(HCIError) -> FileDescriptor {
    let type = CInt(SOCK_RAW.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_BLUETOOTH, type, BTPROTO_HCI)
    guard descriptor >= 0 else { throw errno == EAFNOSUPPORT ? .noBluetooth : .systemCall(.last("socket", "AF_BLUETOOTH")) }
    return FileDescriptor(owning: descriptor)
  }
}

extension HCISocket {
  /// The kernel takes events that only CAP_NET_RAW may hear out of the filter without a word, so what it kept is read back.
  func setFilter(_ wanted: Filter) throws(HCIError) {
    guard hasFilter else { return }
    var filter = hci_filter()
    filter.type_mask = 1 << UInt32(HCI_EVENT_PKT)
    filter.event_mask.1 = 1 << UInt32(EVT_LE_META_EVENT - 32)
    if wanted == .reportsAndAnswers { filter.event_mask.0 = 1 << UInt32(EVT_CMD_COMPLETE) | 1 << UInt32(EVT_CMD_STATUS) }
    let size = socklen_t(MemoryLayout<hci_filter>.size)
    guard setsockopt(descriptor, SOL_HCI, HCI_FILTER, &filter, size) == 0 else { throw .systemCall(.last("setsockopt HCI_FILTER", name)) }
    var kept = hci_filter()
    var length = size
    guard getsockopt(descriptor, SOL_HCI, HCI_FILTER, &kept, &length) == 0 else {
      throw .systemCall(.last("getsockopt HCI_FILTER", name))
    }
    guard kept.event_mask.1 == filter.event_mask.1 else { throw .missing(.netRaw, place: name, purpose: "hearing advertisements") }
  }

  /// Never waits.
  func send(_ command: HCICommand) throws(HCIError) {
    let octets = command.octets
    guard Glibc.send(descriptor, octets, octets.count, CInt(MSG_NOSIGNAL)) >= 0 else {
      switch errno {
      case ENETDOWN: throw .off(name)
      case EPERM: throw .missing(.netRaw, place: name, purpose: "starting a scan")
      case ENODEV, EPIPE, EBADFD: throw .gone(name)
      default: throw .systemCall(.last("send", "\(command.name) to \(name)"))
      }
    }
  }

  /// As many octets as the kernel lets anybody queue, so that a moment's inattention loses nothing: it halves this for its own overhead.
  private func makeRoom() {
    var octets: CInt = 1 << 20
    // Refused or capped, the default remains, and that is no fault.
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &octets, socklen_t(MemoryLayout<CInt>.size))
  }
}
