import EventLoop
import Glibc
import Instants
import TestSupport
import Testing

@Suite struct ServiceManagerTests {
  @Test func `messages reach the service manager's socket`() async {
    // In a process of its own: it changes the environment.
    await #expect(processExitsWith: .success) {
      let socket = try NotificationSocket()
      let manager = ServiceManager(loop: try Loop())
      manager.ready("2 regions")
      #expect(socket.receive() == "READY=1\nSTATUS=2 regions")
      manager.status("one\nREADY=1\nmore")
      #expect(socket.receive() == "STATUS=one READY=1 more")
      manager.reloading()
      #expect(socket.receive().wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[1-9][0-9]*/) != nil)
      manager.stopping()
      #expect(socket.receive() == "STOPPING=1")
    }
  }

  @Test func `a unit with a watchdog is told again and again that the loop turns`() async {
    await #expect(processExitsWith: .success) {
      let socket = try NotificationSocket()
      setenv("WATCHDOG_USEC", "20000", 1)
      let loop = try Loop()
      let manager = ServiceManager(loop: loop)
      let limit = loop.now + .seconds(15)
      for _ in 0..<3 {
        var word = ""
        while word.isEmpty, loop.now < limit {
          try loop.run(for: .milliseconds(1))
          word = socket.receive()
        }
        #expect(word == "WATCHDOG=1")
      }
      withExtendedLifetime(manager) {}
    }
  }

  @Test func `a unit without a watchdog hears nothing`() async {
    await #expect(processExitsWith: .success) {
      let socket = try NotificationSocket()
      let loop = try Loop()
      let manager = ServiceManager(loop: loop)
      try loop.run(for: .milliseconds(20))
      withExtendedLifetime(manager) {}
      #expect(socket.receive().isEmpty)
    }
  }
}

/// The other side of sd_notify(3), as a service manager has it.
private final class NotificationSocket {
  private let descriptor: Int32
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory.file("notify")
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    guard result == 0 else { throw SystemCallError.last("bind", path) }
    setenv("NOTIFY_SOCKET", path, 1)
  }

  deinit {
    close(descriptor)
  }

  /// The next message; empty when there is none.
  func receive() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let received = recv(descriptor, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(0, received)), as: UTF8.self)
  }
}
