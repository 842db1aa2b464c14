import EventLoop
import Glibc
import Instants
import TestSupport
import Testing

@Suite struct IOSourceTests {
  let loop: Loop

  init() throws {
    loop = try Loop()
  }

  @Test func `a readable descriptor calls back until it is read`() throws {
    let pair = try SocketPair()
    pair.write("ab")
    let text: String = try loop.value { done in
      var read = ""
      pair.source = try loop.io(pair.ours, .readable) { _ in
        read += pair.read(1)
        if read.count == 2 { done(read) }
      }
    }
    #expect(text == "ab")
  }

  @Test func `a source that another callback of the same turn releases does not fire`() throws {
    let pairs = [try SocketPair(), try SocketPair()]
    var fired = 0
    for pair in pairs {
      pair.write("x")
      pair.source = try loop.io(pair.ours, .readable) { _ in
        fired += 1
        for pair in pairs { pair.source = nil }
      }
    }
    // All descriptors are readable before the loop polls, so they fire in its first turn.
    try loop.run(for: .milliseconds(5))
    #expect(fired == 1)
  }

  @Test func `a reused descriptor number does not fire its previous source`() throws {
    let (first, second) = (try SocketPair(), try SocketPair())
    let number = second.ours
    var fired: [String] = []
    for pair in [first, second] { pair.write("x") }
    let replacement = Holder<IOSource>()
    let replaceSecond: (IOEvents) -> Void = { [loop] _ in
      fired.append("first")
      first.source = nil
      second.source = nil
      // The write end of a socket pair's other side takes the number; it is readable at once.
      dup2(first.ours, number)
      do {
        replacement.value = try loop.io(number, .readable) { _ in
          fired.append("replacement")
          replacement.value = nil
        }
      } catch {
        Issue.record(error)
      }
    }
    first.source = try loop.io(first.ours, .readable, replaceSecond)
    second.source = try loop.io(second.ours, .readable) { _ in
      fired.append("second")
      second.source = nil
    }
    // All descriptors are readable before the loop polls, so they fire in its first turns.
    try loop.run(for: .milliseconds(5))
    #expect(fired == ["first", "replacement"] || fired == ["second", "first", "replacement"])
  }

  @Test func `a source without interest reports no event, not even a hang-up`() throws {
    let pair = try SocketPair()
    var fired = 0
    let source = try loop.io(pair.ours, .readable) { _ in fired += 1 }
    try source.setInterest([])
    pair.closeTheirs()
    // The hang-up exists before the loop polls, so it would be reported in the first turn.
    try loop.run(for: .milliseconds(5))
    #expect(fired == 0)
  }

  @Test func `a hang-up is reported`() throws {
    let pair = try SocketPair()
    pair.closeTheirs()
    let events: IOEvents = try loop.value { done in
      pair.source = try loop.io(pair.ours, .writable, done)
    }
    #expect(events.contains(.hangUp))
    pair.source = nil
  }

  @Test func `a regular file is refused with the call and the reason`() throws {
    let file = FileDescriptor(owning: open("/etc/passwd", O_RDONLY | O_CLOEXEC))
    let error = #expect(throws: SystemCallError.self) { try loop.io(file.number, .readable) { _ in } }
    #expect(error?.description == "epoll_ctl descriptor \(file.number): Operation not permitted (EPERM)")
  }
}

/// Two connected stream sockets. The loop watches `ours`.
private final class SocketPair {
  let ours: Int32
  private var theirs: Int32
  var source: IOSource?

  init() throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemCallError.last("socketpair") }
    (ours, theirs) = (ends[0], ends[1])
  }

  deinit {
    source?.cancel()
    close(ours)
    closeTheirs()
  }

  func write(_ text: String) {
    _ = Glibc.write(theirs, text, text.utf8.count)
  }

  func read(_ count: Int) -> String {
    var buffer = [UInt8](repeating: 0, count: count)
    let received = Glibc.read(ours, &buffer, count)
    return String(decoding: buffer.prefix(max(0, received)), as: UTF8.self)
  }

  func closeTheirs() {
    if theirs >= 0 { close(theirs) }
    theirs = -1
  }
}
