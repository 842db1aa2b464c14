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
    /// What the kernel itself says about adapters.
    case adapterChanges

    /// One bit for each event code; the codes above 63 share the bits of those below.
    var events: (low: UInt32, high: UInt32) {
      switch self {
      case .reports: (0, 1 << UInt32(EVT_LE_META_EVENT - 32))
      case .reportsAndAnswers: (1 << UInt32(EVT_CMD_COMPLETE) | 1 << UInt32(EVT_CMD_STATUS), 1 << UInt32(EVT_LE_META_EVENT - 32))
      case .adapterChanges: (0, 1 << UInt32(EVT_STACK_INTERNAL & 63 - 32))
      }
    }
  }

  private let file: FileDescriptor
  /// `hci0`, or what the owner of a passed descriptor calls it.
  let name: String
  /// Nil for a descriptor that was passed, and for a socket that is bound to no adapter.
  let index: UInt16?

  var descriptor: CInt { file.number }

  /// For questions about all adapters.
  static func unbound() throws(HCIError) -> HCISocket {
    HCISocket(try open(), name: "Bluetooth")
  }

  /// Hears one adapter beside everybody else who does.
  static func hearing(_ index: UInt16) throws(HCIError) -> HCISocket {
    let socket = HCISocket(try open(), name: "hci\(index)", index: index)
    try socket.bind(to: index, HCI_CHANNEL_RAW)
    try socket.setFilter(.reports)
    socket.makeRoom()
    return socket
  }

  /// Hears of adapters that come and go.
  static func watchingAdapters() throws(HCIError) -> HCISocket {
    let socket = HCISocket(try open(), name: "Bluetooth")
    try socket.bind(to: UInt16(HCI_DEV_NONE), HCI_CHANNEL_RAW)
    try socket.setFilter(.adapterChanges)
    return socket
  }

  /// Speaks the kernel's management interface, not HCI.
  static func managing() throws(HCIError) -> HCISocket {
    let socket = HCISocket(try open(), name: "Bluetooth")
    try socket.bind(to: UInt16(HCI_DEV_NONE), HCI_CHANNEL_CONTROL)
    return socket
  }

  /// Packets as an HCI socket gives them, from whatever is at the other end of a SOCK_SEQPACKET: what comes through it is nobody's to filter.
  static func taking(_ packets: consuming FileDescriptor, name: String) throws(HCIError) -> HCISocket {
    let socket = HCISocket(packets, name: name)
    do throws(SystemCallError) {
      try socket.file.setNonBlocking()
    } catch {
      throw .systemCall(error)
    }
    return socket
  }

  private init(_ file: consuming FileDescriptor, name: String, index: UInt16? = nil) {
    self.file = file
    self.name = name
    self.index = index
  }

  private func bind(to index: UInt16, _ channel: CInt) throws(HCIError) {
    var address = sockaddr_hci(hci_family: sa_family_t(AF_BLUETOOTH), hci_dev: index, hci_channel: UInt16(channel))
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
    var filter = hci_filter()
    filter.type_mask = 1 << UInt32(HCI_EVENT_PKT)
    filter.event_mask = wanted.events
    let size = socklen_t(MemoryLayout<hci_filter>.size)
    guard setsockopt(descriptor, SOL_HCI, HCI_FILTER, &filter, size) == 0 else { throw .systemCall(.last("setsockopt HCI_FILTER", name)) }
    var kept = hci_filter()
    var length = size
    guard getsockopt(descriptor, SOL_HCI, HCI_FILTER, &kept, &length) == 0 else {
      throw .systemCall(.last("getsockopt HCI_FILTER", name))
    }
    guard kept.event_mask == filter.event_mask else { throw .missing(.netRaw, place: name, purpose: "hearing advertisements") }
  }

  /// False as well for an adapter that was just plugged in: it runs for two seconds, and then the kernel switches it off.
  func isOn(_ index: UInt16) throws(HCIError) -> Bool {
    var information = hci_dev_info()
    information.dev_id = index
    guard hci_get_adapter(descriptor, &information) == 0 else {
      throw errno == ENODEV ? .gone(name) : .systemCall(.last("ioctl HCIGETDEVINFO", name))
    }
    return information.isOn
  }

  /// Packets that found no room in the queue, since the socket was opened. SO_RXQ_OVFL does not count them: the kernel's HCI sockets do not
  /// pass it on with packets.
  var lostPackets: Int {
    // SO_MEMINFO fills nine numbers, of which the last is SK_MEMINFO_DROPS (linux/sock_diag.h).
    var numbers = [UInt32](repeating: 0, count: 9)
    var length = socklen_t(numbers.count * MemoryLayout<UInt32>.size)
    // Kernels before 4.12 do not tell, and then none is known to be lost.
    guard getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, &numbers, &length) == 0 else { return 0 }
    return Int(numbers[8])
  }

  func send(_ command: HCICommand) throws(HCIError) {
    try send(command.octets, as: command.name)
  }

  /// Never waits. `title` is for people.
  func send(_ octets: [UInt8], as title: String) throws(HCIError) {
    guard Glibc.send(descriptor, octets, octets.count, CInt(MSG_NOSIGNAL)) >= 0 else {
      switch errno {
      case ENETDOWN: throw .off(name)
      case EPERM: throw .missing(.netRaw, place: name, purpose: "starting a scan")
      case ENODEV, EPIPE, EBADFD: throw .gone(name)
      default: throw .systemCall(.last("send", "\(title) to \(name)"))
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

extension hci_dev_info {
  var isOn: Bool { flags & 1 << UInt32(HCI_UP) != 0 }
}
