import EventLoop
import Glibc
import Instants
import TestSupport
import Testing

@testable import DBus

@Suite struct ConnectionTests {
  @Test func `a connection knows its unique name`() throws {
    let fixture = try BusFixture()
    let name = try #require(fixture.connection.uniqueName)
    #expect(try fixture.busctl("list", "--no-legend").contains("\(name) "))
  }

  @Test func `a missing bus ends the one attempt with the address and the reason`() throws {
    let loop = try Loop()
    let connection = try DBusConnection(loop: loop, address: .explicit("unix:path=/no/such/bus"), persistence: .once)
    let state: DBusConnection.State = try loop.value { connection.onStateChange = $0 }
    #expect(
      state == .disconnected(.noServer("cannot connect to the bus at unix:path=/no/such/bus: No such file or directory (ENOENT)")))
    connection.onStateChange = { _ in Issue.record("the connection retried") }
    // The first pause before another attempt is 100 ms or less.
    try loop.run(for: .milliseconds(300))
  }

  @Test func `a connection restores its matches and names when the bus returns`() throws {
    let fixture = try BusFixture()
    let (loop, connection) = (fixture.loop, fixture.connection)
    var signals: [String] = []
    var heard = {}
    var names: [OwnedName.State] = []
    var states: [String] = []
    let subscription = connection.addMatch(MatchRule(interface: "org.example.Shop")) {
      signals.append($0.member ?? "")
      heard()
    }
    let name = connection.requestName("org.example.Shop") { names.append($0) }
    // The sender may end before its signal has arrived.
    let emit = { (expected: Int) in
      _ = try fixture.busctl("emit", "/a", "org.example.Shop", "Entered")
      if signals.count < expected { let _: Bool = try loop.value { done in heard = { done(true) } } }
    }
    try emit(1)
    let _: Bool = try loop.value { done in
      connection.onStateChange = {
        switch $0 {
        case .disconnected: states.append("disconnected")
        case .connecting: states.append("connecting")
        case .connected: states.append("connected")
        }
        done(true)
      }
      fixture.bus.kill()
    }
    #expect(names == [.owned, .lost])
    try fixture.bus.restart()
    try fixture.waitUntilConnected(connection)
    try emit(2)
    #expect(try fixture.busctl("list", "--no-legend").contains("org.example.Shop "))
    #expect(signals == ["Entered", "Entered"])
    #expect(names == [.owned, .lost, .owned])
    #expect(states.first == "disconnected")
    withExtendedLifetime((subscription, name)) {}
  }

  @Test func `a pending call fails once when the bus dies`() throws {
    let fixture = try BusFixture()
    let deaf = try fixture.connect()
    deaf.onCall = { _ in true }
    var results: [Result<[DBusValue], DBusError>] = []
    fixture.connection.call(destination: deaf.uniqueName ?? "", path: "/", interface: "a.b", member: "C") { results.append($0) }
    // The call reaches the peer, which never answers. After too short a time it is only a call that was not read.
    try fixture.loop.run(for: .milliseconds(20))
    #expect(results.isEmpty)
    fixture.bus.kill()
    try fixture.loop.wait { !results.isEmpty }
    // A second answer would come in the next turns of the loop.
    try fixture.loop.run(for: .milliseconds(20))
    let error = #expect(throws: DBusError.self) { try results.first?.get() }
    #expect(error?.isStandard("Disconnected") == true)
    #expect(results.count == 1)
  }

  @Test func `a call without an answer fails after its timeout`() throws {
    let fixture = try BusFixture()
    let deaf = try fixture.connect()
    deaf.onCall = { _ in true }
    let result: Result<[DBusValue], DBusError> = try fixture.loop.value { done in
      fixture.connection.call(
        destination: deaf.uniqueName ?? "", path: "/", interface: "a.b", member: "C", timeout: .milliseconds(50), completion: done)
    }
    let error = #expect(throws: DBusError.self) { try result.get() }
    #expect(error?.isStandard("NoReply") == true)
  }

  @Test(
    arguments: [
      ("no name", "/", "a.b", "C", []), (":1.1", "path", "a.b", "C", []), (":1.1", "/", "a", "C", []), (":1.1", "/", "a.b", "1", []),
      (":1.1", "/", "a.b", "C\0D", []), (":1.1", "/", "a.b", "C", [.objectPath("no path")]), (":1.1", "/", "a.b", "C", [.signature("(")]),
      (":1.1", "/", "a.b", "C", [.array(of: "zz", [])]), (":1.1", "/", "a.b", "C", [.array(of: "s", [.byte(1)])]),
      (":1.1", "/", "a.b", "C", [.structure([])]), (":1.1", "/", "a.b", "C", [.dictionary(key: "v", value: "s", [])]),
      (":1.1", "/", "a.b", "C", [.structure(Array(repeating: .byte(1), count: 300))]), (":1.1", "/", "a.b", "C", [.unixFD(nil)]),
      (":1.1", "/", "a.b", "C", [.unixFD(9999)]),
    ] as [(String, String, String, String, [DBusValue])])
  func `input that makes libdbus abort the process is an error instead`(
    destination: String, path: String, interface: String, member: String, arguments: [DBusValue]
  ) throws {
    let fixture = try BusFixture()
    let result: Result<[DBusValue], DBusError> = try fixture.loop.value { done in
      fixture.connection.call(
        destination: destination, path: path, interface: interface, member: member, arguments, completion: done)
    }
    #expect(throws: DBusError.self) { try result.get() }
    #expect(fixture.connection.uniqueName != nil)
  }

  @Test func `a bus whose backlog is full does not block the loop`() throws {
    let full = try FullListener()
    let loop = try Loop()
    let connection = try DBusConnection(loop: loop, address: .explicit("unix:path=\(full.path)"))
    var failures: [DBusError] = []
    connection.onStateChange = { if case .disconnected(let error) = $0 { failures.append(error) } }
    let start = loop.now
    try loop.wait { !failures.isEmpty }
    #expect(loop.now - start < .seconds(2))
    #expect(failures.first?.message.contains("Resource temporarily unavailable (EAGAIN)") == true)
  }

  @Test func `a connection to a bus that accepts and does not answer ends, and does not block the loop`() throws {
    let fixture = try BusFixture()
    fixture.bus.freeze()
    defer { fixture.bus.thaw() }
    let connection = try DBusConnection(loop: fixture.loop, address: .explicit(fixture.bus.address), persistence: .once)
    var ticks = 0
    let timer = Holder<EventLoop.Timer>()
    timer.value = fixture.loop.timer {
      ticks += 1
      timer.value?.arm(after: .milliseconds(10))
    }
    timer.value?.arm(after: .zero)
    let state: DBusConnection.State = try fixture.loop.value { connection.onStateChange = $0 }
    timer.value = nil
    guard case .disconnected(let error) = state else {
      Issue.record("\(state)")
      return
    }
    #expect(error.message.contains("does not respond"))
    #expect(ticks > 50)
  }

  @Test func `the queue to a hanging bus is bounded, and its end is reported`() throws {
    let fixture = try BusFixture()
    fixture.bus.freeze()
    var sent = 0
    var refusal: DBusError?
    let text = DBusValue.string(String(repeating: "x", count: 64 * 1024))
    while refusal == nil, sent < 1000 {
      do throws(DBusError) {
        try fixture.connection.emit(path: "/", interface: "a.b", member: "C", [text])
        sent += 1
      } catch {
        refusal = error
      }
    }
    #expect(refusal?.isStandard("LimitsExceeded") == true)
    #expect(fixture.connection.outgoingSize > DBusConnection.outgoingLimit)
    let start = fixture.loop.now
    fixture.connection.flush(within: .milliseconds(50))
    #expect(fixture.loop.now - start < .seconds(2))
    let drained: Bool = try fixture.loop.value { done in
      fixture.connection.onDrained = { done(true) }
      fixture.bus.thaw()
    }
    #expect(drained)
  }

  @Test(arguments: [false, true])
  func `a sender that stops at the congestion threshold is notified when the queue drains or the bus is lost`(isLost: Bool) throws {
    let fixture = try BusFixture()
    fixture.bus.freeze()
    while fixture.connection.outgoingSize <= DBusConnection.congestionThreshold {
      try fixture.connection.emit(path: "/", interface: "a.b", member: "C")
    }
    let drained: Bool = try fixture.loop.value { done in
      fixture.connection.onDrained = { done(true) }
      if isLost { fixture.bus.kill() } else { fixture.bus.thaw() }
    }
    #expect(drained)
  }

  @Test func `a flush sends queued messages although the loop does not run`() throws {
    let fixture = try BusFixture()
    let text = try fixture.monitored("type='signal',interface='org.example.Last'") {
      for number in 0..<2000 {
        try fixture.connection.emit(
          path: "/", interface: "org.example.Last", member: "Word", [.int32(Int32(number)), .string(String(repeating: "x", count: 512))])
      }
      fixture.connection.flush(within: .seconds(10))
      #expect(fixture.connection.outgoingSize == 0)
    }
    #expect(text.matches(of: /member=Word/).count == 2000)
  }

  @Test func `the credentials of a peer come from the kernel`() throws {
    let fixture = try BusFixture()
    let peer = try fixture.connect()
    let result: Result<BusCredentials, DBusError> = try fixture.loop.value { done in
      fixture.connection.credentials(of: peer.uniqueName ?? "", completion: done)
    }
    let credentials = try result.get()
    #expect(credentials.userID == getuid())
    #expect(credentials.processID == UInt32(getpid()))
    #expect(credentials.groupIDs?.contains(getgid()) == true)
  }

  @Test func `a connection can be released in its own callback`() throws {
    let fixture = try BusFixture()
    let holder = Holder(try DBusConnection(loop: fixture.loop, address: .explicit(fixture.bus.address)))
    let _: Bool = try fixture.loop.value { done in
      holder.value?.onStateChange = { _ in
        holder.value = nil
        done(true)
      }
    }
    // A callback of a released connection would come in the next turns of the loop.
    try fixture.loop.run(for: .milliseconds(20))
    #expect(holder.value == nil)
  }

  @Test func `a closed connection stays closed`() throws {
    let fixture = try BusFixture()
    fixture.connection.close()
    guard case .disconnected = fixture.connection.state else {
      Issue.record("still \(fixture.connection.state)")
      return
    }
    // Three times the first pause before another attempt.
    try fixture.loop.run(for: .milliseconds(300))
    #expect(fixture.connection.uniqueName == nil)
    #expect(throws: DBusError.disconnected("the connection was closed")) {
      try fixture.connection.emit(path: "/", interface: "a.b", member: "C")
    }
  }
}

/// A listening socket that never accepts and whose backlog is full.
private final class FullListener {
  let path: String
  private let directory: TemporaryDirectory
  private var descriptors: [Int32] = []

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("full")
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try withUnsafePointer(to: &address) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let listener = socket(AF_UNIX, type, 0)
        descriptors.append(listener)
        guard bind(listener, pointer, length) == 0, listen(listener, 0) == 0 else { throw SystemCallError.last("listen", path) }
        while descriptors.count < 100 {
          let client = socket(AF_UNIX, type, 0)
          descriptors.append(client)
          if connect(client, pointer, length) != 0 { return }
        }
      }
    }
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }
}
