import EventLoop
import Glibc

/// The other end of a source: a scripted controller, with one packet per message.
public final class PacketPeer {
  private var descriptor: CInt
  /// The descriptor for the source.
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

  /// Returns the end of the source, once.
  public func handOver() -> FileDescriptor {
    defer { handedOver = -1 }
    return FileDescriptor(owning: handedOver)
  }

  /// Sends a packet. Returns false if the source must read first.
  @discardableResult
  public func send(_ packet: [UInt8]) -> Bool {
    Glibc.send(descriptor, packet, packet.count, CInt(MSG_DONTWAIT)) == packet.count
  }

  /// Sends the packets as fast as the source reads. The result must be held meanwhile.
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

  /// Returns the packets that the source has sent since the last call.
  public func received() -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var buffer = [UInt8](repeating: 0, count: 512)
    while case let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT)), count > 0 {
      packets.append(Array(buffer.prefix(count)))
    }
    return packets
  }

  /// Answers every command with the result of `answer`.
  public func answer(on loop: Loop, with answer: @escaping ([UInt8]) -> [UInt8]?) throws -> IOSource {
    try loop.io(descriptor, .readable) { [unowned self] _ in
      for command in received() {
        if let packet = answer(command) { send(packet) }
      }
    }
  }

  /// Ends the packets of the source.
  public func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
