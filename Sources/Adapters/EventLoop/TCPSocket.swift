import Glibc

/// The options of a TCP connection: tcp(7).
public enum TCPSocket {
  /// Acknowledges the received data at once; call it each time that data is ready to read.
  ///
  /// A peer with Nagle's algorithm, as most brokers and small web servers have, sends the second of two small pieces after the
  /// acknowledgement of the first. By default the kernel delays that by 40 ms, to send it along with other data. TCP_QUICKACK does not
  /// last.
  public static func acknowledgeAtOnce(_ descriptor: Int32) {
    var on: Int32 = 1
    // A descriptor that is no TCP socket refuses the option and works all the same.
    _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &on, socklen_t(MemoryLayout<Int32>.size))
  }
}
