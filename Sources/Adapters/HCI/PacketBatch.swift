import CBluetooth
import EventLoop
import Glibc

/// Buffers for the packets of one system call, allocated once.
struct PacketBatch: ~Copyable {
  static let capacity = 64
  /// The length of a buffer: an event and its packet type, 1 + 2 + 255 octets, and one octet that reveals a longer packet.
  private static let slotLength = 259

  private let octets = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity * slotLength, alignment: 16)
  private let vectors = UnsafeMutablePointer<iovec>.allocate(capacity: capacity)
  private let messages = UnsafeMutablePointer<hci_received>.allocate(capacity: capacity)

  init() {
    for (index, start) in stride(from: 0, to: octets.count, by: Self.slotLength).enumerated() {
      let slot = UnsafeMutableRawBufferPointer(rebasing: octets[start..<start + Self.slotLength])
      (vectors + index).initialize(to: iovec(iov_base: slot.baseAddress, iov_len: slot.count))
      var message = hci_received()
      message.header.msg_iov = vectors + index
      message.header.msg_iovlen = 1
      (messages + index).initialize(to: message)
    }
  }

  deinit {
    messages.deallocate()
    vectors.deallocate()
    octets.deallocate()
  }

  /// Receives at most `capacity` waiting packets and returns their number; a single empty packet is the end of the source.
  func receive(from descriptor: CInt) throws(SystemCallError) -> Int {
    let count = hci_receive(descriptor, messages, UInt32(Self.capacity), CInt(MSG_DONTWAIT))
    guard count < 0 else { return Int(count) }
    guard errno == EAGAIN || errno == EINTR else { throw .last("recvmmsg") }
    return 0
  }

  /// The octets of a received packet; they change with the next `receive`.
  subscript(index: Int) -> UnsafeRawBufferPointer {
    let start = index * Self.slotLength
    return UnsafeRawBufferPointer(rebasing: octets[start..<start + Int(messages[index].length)])
  }
}
