import CBluetooth
import EventLoop
import Glibc

/// A socket to an adapter in the kernel: it receives packets and sends commands.
///
/// Every packet is one message with its packet type octet first (Bluetooth Core Specification 5.4, Volume 4, Part A, 2).
struct HCISocket: ~Copyable {
  /// The packets that the kernel delivers; packets outside the filter do not wake this process.
  enum Filter {
    /// LE Meta events.
    case reports
    /// LE Meta events, and the answers to commands.
    case reportsAndAnswers
    /// The kernel's own events about adapters.
    case adapterChanges

    /// The event mask: one bit for each event code; the codes above 63 share the bits of those below.
    var events: (low: UInt32, high: UInt32) {
      switch self {
      case .reports: (0, 1 << UInt32(EVT_LE_META_EVENT - 32))
      case .reportsAndAnswers: (1 << UInt32(EVT_CMD_COMPLETE) | 1 << UInt32(EVT_CMD_STATUS), 1 << UInt32(EVT_LE_META_EVENT - 32))
      case .adapterChanges: (0, 1 << UInt32(EVT_STACK_INTERNAL & 63 - 32))
      }
    }
  }

  private let file: FileDescriptor
  /// The name of the adapter, such as `hci0`, or the name that a passed descriptor's owner gave.
  let name: String
  /// The index of the adapter; nil for a descriptor that was passed, and for a socket that is bound to no adapter.
  let index: UInt16?

  var descriptor: CInt { file.number }

  /// Opens a socket for requests about all adapters.
  static func unbound() throws(HCIError) -> HCISocket {
    HCISocket(try open(), name: "Bluetooth")
  }

  /// Opens a socket that receives the packets of one adapter; other programs can receive them as well.
  static func hearing(_ index: UInt16) throws(HCIError) -> HCISocket {
    let socket = HCISocket(try open(), name: "hci\(index)", index: index)
    try socket.bind(to: index, HCI_CHANNEL_RAW)
    try socket.setFilter(.reports)
    socket.makeRoom()
    return socket
  }

  /// Opens a socket that receives the events of adapters that come and go.
  static func watchingAdapters() throws(HCIError) -> HCISocket {
    let socket = HCISocket(try open(), name: "Bluetooth")
    try socket.bind(to: UInt16(HCI_DEV_NONE), HCI_CHANNEL_RAW)
    try socket.setFilter(.adapterChanges)
    return socket
  }

  /// Opens a socket to the kernel's management interface, which does not use HCI packets.
  static func managing() throws(HCIError) -> HCISocket {
    let socket = HCISocket(try open(), name: "Bluetooth")
    try socket.bind(to: UInt16(HCI_DEV_NONE), HCI_CHANNEL_CONTROL)
    return socket
  }

  /// Takes packets as an HCI socket delivers them, from the peer of a SOCK_SEQPACKET socket; the kernel does not filter them.
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
  /// Sets the filter, and throws if the kernel did not keep it.
  /// Without CAP_NET_RAW, the kernel silently removes some events from the filter, so this function reads the filter back.
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
    guard kept.event_mask == filter.event_mask else { throw .missing(.netRaw, place: name, purpose: "hearing packets") }
  }

  /// Returns whether the adapter is on.
  /// It also returns false for an adapter that was just plugged in: the kernel runs it for two seconds and then switches it off.
  func isOn(_ index: UInt16) throws(HCIError) -> Bool {
    var information = hci_dev_info()
    information.dev_id = index
    guard hci_get_adapter(descriptor, &information) == 0 else {
      throw errno == ENODEV ? .gone(name) : .systemCall(.last("ioctl HCIGETDEVINFO", name))
    }
    return information.isOn
  }

  /// The number of packets that did not fit into the queue since the socket was opened.
  /// SO_RXQ_OVFL does not count them: the kernel's HCI sockets do not pass it on with packets.
  var lostPackets: Int {
    // SO_MEMINFO fills nine numbers, of which the last is SK_MEMINFO_DROPS (linux/sock_diag.h).
    var numbers = [UInt32](repeating: 0, count: 9)
    var length = socklen_t(numbers.count * MemoryLayout<UInt32>.size)
    // Kernels before 4.12 do not support the option, and then no loss is known.
    guard getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, &numbers, &length) == 0 else { return 0 }
    return Int(numbers[8])
  }

  func send(_ command: HCICommand) throws(HCIError) {
    try send(command.octets, as: command.name)
  }

  /// Sends a command without waiting; `title` names it in errors.
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

  /// Enlarges the receive buffer to hold more than a second of a flood, so that a short delay of the loop loses nothing.
  /// A packet takes about 800 octets there. With CAP_NET_ADMIN the kernel grants the full size, otherwise at most the system's limit.
  private func makeRoom() {
    var octets: CInt = 1 << 21
    let size = socklen_t(MemoryLayout<CInt>.size)
    if setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &octets, size) == 0 { return }
    // A capped size, or the default, is acceptable.
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &octets, size)
  }
}

extension hci_dev_info {
  var isOn: Bool { flags & 1 << UInt32(HCI_UP) != 0 }
}
