import EventLoop
import Foundation
import TestSupport

/// The socket of a service manager for sd_notify(3).
final class NotificationSocket {
  let path: String
  private let descriptor: Int32
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("notify")
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    guard result == 0 else { throw SystemCallError.last("bind", path) }
    var limit = timeval(tv_sec: Int(patience), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    close(descriptor)
  }

  /// Waits for a message, and ignores others before it.
  func wait(for message: String) throws {
    while case let text = receive(), !text.hasPrefix(message) {
      guard !text.isEmpty else { throw TimeoutError("the message \(message) did not come") }
    }
  }

  /// Returns the messages that have arrived, without waiting.
  @discardableResult
  func drain() -> [String] {
    var messages: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
      messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
    }
    return messages
  }

  /// Returns the next message; empty if none comes.
  func receive() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let received = recv(descriptor, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(0, received)), as: UTF8.self)
  }
}
