import Glibc

/// The octets from a descriptor without a definite end: a connection, a serial line.
public final class OctetStream {
  /// Receives a slice of a buffer that is reused: keep no more of it than needed.
  public var onOctets: (ArraySlice<UInt8>) -> Void = { _ in }
  /// Receives the error at the end, or nil if the other side closed the stream; the callback may release the stream.
  public var onEnd: (SystemCallError?) -> Void = { _ in }

  /// Suspends reading, so that the end is not noticed either; the other side stalls once the kernel's buffers are full.
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
  /// The maximum reads per turn, so that a flood does not starve the loop's other work.
  private static let readsPerTurn = 4

  /// Starts to read a non-blocking descriptor; throws if epoll refuses it, as it does a regular file.
  public init(_ loop: Loop, _ descriptor: consuming FileDescriptor) throws(SystemCallError) {
    self.descriptor = descriptor
    io = try loop.io(self.descriptor.number, .readable) { [unowned self] _ in receive() }
  }

  deinit {
    io?.cancel()
  }

  /// Sends a short command that fits into any buffer; if it does not fit, the stream ends with an error.
  public func send(_ octets: [UInt8]) {
    guard io != nil else { return }
    // A serial line is not a socket, and SIGPIPE is ignored.
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
