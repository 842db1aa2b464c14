internal import CMicroHTTPD
import HTTPMessages

/// A stream that a connection sends. The library asks for its octets.
final class OpenStream {
  let stream: EventStream
  private let library: microhttpd_library
  private let connection: OpaquePointer
  private var isSuspended = false

  init(_ stream: EventStream, _ library: microhttpd_library, _ connection: OpaquePointer) {
    (self.stream, self.library, self.connection) = (stream, library, connection)
  }

  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    library.resume_connection(connection)
  }

  /// Copies octets that wait, and returns their number, or a negative number at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let octets = stream.take(buffer.count)
    buffer.copyBytes(from: octets)
    // The values of the library's macros MHD_CONTENT_READER_END_OF_STREAM and ..._WITH_ERROR are casts, which do not import.
    if octets.isEmpty, stream.isEnded { return -1 }
    if octets.isEmpty {
      isSuspended = true
      library.suspend_connection(connection)
    }
    return octets.count
  }
}

/// The function that the library calls for the octets of a stream.
func readStream(
  _ stream: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
  guard let stream, let buffer else { return -1 }
  let opened = Unmanaged<OpenStream>.fromOpaque(stream).takeUnretainedValue()
  return opened.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}
