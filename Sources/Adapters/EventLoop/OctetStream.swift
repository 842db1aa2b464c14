import Glibc

/// What comes out of a descriptor that has no end of its own: a connection, a serial line.
public final class OctetStream {
  /// A slice of a buffer that is used again: keep no more of it than needed.
  public var onOctets: (ArraySlice<UInt8>) -> Void = { _ in }
  /// It is over; nil when the other side has ended it. The stream may be released inside.
  public var onEnd: (SystemCallError?) -> Void = { _ in }

  /// While this is true nothing is read, and an end is not noticed: the kernel holds the other side back once its buffers are full.
  public var isPaused = false {
    didSet {
      guard isPaused != oldValue, let io else { return }
      do {
        try io.setInterest(isPaused ? [] : .readable)
      } catch {
        end(error)
      }
    }
  }

  private let descriptor: FileDescriptor
  private var io: IOSource?
  private var buffer = [UInt8](repeating: 0, count: 16_384)
  /// A flood leaves the loop's other work its turn.
  private static let readsPerTurn = 4

  /// The descriptor must not block. Throws where epoll refuses it, as it does a regular file.
  public init(_ loop: Loop, _ descriptor: consuming FileDescriptor) throws(SystemCallError) {
    self.descriptor = descriptor
    io = try loop.io(self.descriptor.number, .readable) { [unowned self] _ in receive() }
  }

  deinit {
    io?.cancel()
  }

  /// For the few octets of a command, which fit into any buffer: what does not is an error and ends the stream.
  public func send(_ octets: [UInt8]) {
    guard io != nil else { return }
    // A serial line is no socket, and SIGPIPE is ignored.
    let count = write(descriptor.number, octets, octets.count)
    if count != octets.count { end(count < 0 ? .last("write") : SystemCallError(call: "write", code: EAGAIN)) }
  }

  private func receive() {
    for _ in 0..<Self.readsPerTurn {
      let count = read(descriptor.number, &buffer, buffer.count)
      guard count > 0 else {
        if count == 0 { return end(nil) }
        if errno == EAGAIN || errno == EINTR { return }
        return end(.last("read"))
      }
      onOctets(buffer[..<count])
      guard io != nil, !isPaused, count == buffer.count else { return }
    }
  }

  private func end(_ error: SystemCallError?) {
    guard io != nil else { return }
    io?.cancel()
    io = nil
    onEnd(error)
  }
}
