import Glibc

/// What a TCP connection is told beside its data: tcp(7).
public enum TCPSocket {
  /// Tells the other side at once that what has come so far has come; for when there is something to read, each time.
  ///
  /// A peer with Nagle's algorithm, most brokers and small web servers, sends the second of two small pieces when it knows that the first
  /// has come, and the kernel would tell it 40 ms later, in the hope of something to send along. TCP_QUICKACK does not last.
  public static func acknowledgeAtOnce(_ descriptor: Int32) {
    var on: Int32 = 1
    // What is no TCP socket refuses it and works all the same.
    _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &on, socklen_t(MemoryLayout<Int32>.size))
  }
}
