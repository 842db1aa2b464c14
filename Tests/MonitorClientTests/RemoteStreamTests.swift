import DBus
import EventLoop
import MonitorProtocol
import TestSupport
import Testing

@testable import MonitorClient

/// Streams of a daemon that ends their sessions.
@Suite struct RemoteStreamTests {
  private static let signal = "GuidanceFailed"

  @Test func `a stream opens another session after the daemon has stopped the first one`() throws {
    let bus = try PrivateBus()
    let loop = try Loop()
    let daemon = try DBusConnection(loop: loop, address: .explicit(bus.address))
    let connection = try DBusConnection(loop: loop, address: .explicit(bus.address))
    let tree = ObjectTree(connection: daemon, managerPath: MonitorNames.root)
    var (sessions, starts): ([ExportedObject], Int) = ([], 0)
    let session = DBusInterface(
      MonitorNames.session,
      methods: [
        DBusMethod("StartGuidance", in: [DBusArgument("options", "a{sv}")], out: []) { _ throws(DBusError) in
          starts += 1
          return []
        },
        DBusMethod("Close", in: [], out: []) { _ throws(DBusError) in [] },
      ],
      signals: [
        DBusSignal("Stopped", [DBusArgument("reason", "s")]),
        DBusSignal(Self.signal, [DBusArgument("error", "s"), DBusArgument("message", "s")]),
      ])
    let manager = DBusInterface(
      MonitorNames.manager,
      methods: [
        DBusMethod("CreateSession", in: [DBusArgument("options", "a{sv}")], out: [DBusArgument("session", "o")]) { _ throws(DBusError) in
          let path = MonitorNames.path(ofSession: "\(sessions.count + 1)")
          do {
            sessions.append(try tree.export(path, [session]))
          } catch {
            throw .failed("\(error)")
          }
          return [.objectPath(path)]
        }
      ])
    let root = try tree.export(MonitorNames.root, [manager])
    let name = daemon.requestName(MonitorNames.bus) { _ in }

    var messages: [String] = []
    let stream = MonitorClient(connection).guide(GuidanceOptions(to: .place("clock"))) { error in
      Issue.record("\(error)")
    } handler: { event in
      if case .failed(let error) = event { messages.append(error.message) }
    }
    try loop.wait { starts == 1 }
    try sessions[0].emit(MonitorNames.session, "Stopped", [.string("the client has not read for 30s")])
    try loop.wait { starts == 2 }
    try #require(sessions.count == 2)
    // Signals of the old session are no longer for this stream.
    for (index, text) in ["old", "new"].enumerated() {
      try sessions[index].emit(MonitorNames.session, Self.signal, [.string(MonitorError.noRoute.name), .string(text)])
    }
    try loop.wait { !messages.isEmpty }
    #expect(messages == ["new"])
    withExtendedLifetime((stream, root, name)) {}
  }

  @Test func `a stream reports once that the daemon refuses a session, and opens one when the daemon permits it`() throws {
    let bus = try PrivateBus()
    let loop = try Loop()
    let daemon = try SlowDaemon(DBusConnection(loop: loop, address: .explicit(bus.address)))
    let connection = try DBusConnection(loop: loop, address: .explicit(bus.address))
    var errors: [MonitorError?] = []
    let stream = MonitorClient(connection).guide(GuidanceOptions(to: .place("clock"))) {
      errors.append($0.monitorError)
    } handler: { _ in
    }
    for _ in 1...2 {
      try loop.wait { daemon.waiting == 1 }
      daemon.refuse()
    }
    try loop.wait { daemon.waiting == 1 }
    daemon.answer()
    try loop.wait { daemon.starts == 1 }
    #expect(errors == [.limitsExceeded] && daemon.requests == 3)
    withExtendedLifetime(stream) {}
  }
}
