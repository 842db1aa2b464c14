import EventLoop
import Glibc

/// The other end of a source: a controller that says what a test wants it to say, one packet per message.
public final class PacketPeer {
  private var descriptor: CInt
  /// For the source to take over.
  private var handedOver: CInt

  public init() throws {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemCallError.last("socketpair") }
    (descriptor, handedOver) = (ends[0], ends[1])
  }

  deinit {
    end()
    if handedOver >= 0 { close(handedOver) }
  }

  /// The end of the source, once.
  public func handOver() -> FileDescriptor {
    defer { handedOver = -1 }
    return FileDescriptor(owning: handedOver)
  }

  /// False when the source must read first.
  @discardableResult
  public func send(_ packet: [UInt8]) -> Bool {
    Glibc.send(descriptor, packet, packet.count, CInt(MSG_DONTWAIT)) == packet.count
  }

  /// Sends all of them as fast as the source reads. The result must be held as long.
  public func send(_ packets: [[UInt8]], then finish: @escaping () -> Void = {}, on loop: Loop) throws -> IOSource {
    var rest = packets[...]
    var source: IOSource?
    let feed = try loop.io(descriptor, .writable) { [unowned self] _ in
      while let packet = rest.first, send(packet) { rest = rest.dropFirst() }
      guard rest.isEmpty else { return }
      source?.cancel()
      source = nil
      finish()
    }
    source = feed
    return feed
  }

  /// The packets that the source has sent and that were not received yet.
  public func received() -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var buffer = [UInt8](repeating: 0, count: 512)
    while case let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT)), count > 0 {
      packets.append(Array(buffer.prefix(count)))
    }
    return packets
  }

  /// Answers every command with what `answer` makes of its octets.
  public func answer(on loop: Loop, with answer: @escaping ([UInt8]) -> [UInt8]?) throws -> IOSource {
    try loop.io(descriptor, .readable) { [unowned self] _ in
      for command in received() {
        if let packet = answer(command) { send(packet) }
      }
    }
  }

  /// The source's packets end.
  public func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
