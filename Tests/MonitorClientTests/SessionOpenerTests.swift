import DBus
import EventLoop
import Instants
import MonitorProtocol
import TestSupport
import Testing

@testable import MonitorClient

/// The opening of sessions by a daemon that answers late, refuses or disappears.
@Suite struct SessionOpenerTests {
  private let bus: PrivateBus
  private let loop: Loop
  private let daemon: SlowDaemon
  private let connection: DBusConnection

  init() throws {
    bus = try PrivateBus()
    loop = try Loop()
    daemon = try SlowDaemon(DBusConnection(loop: loop, address: .explicit(bus.address)))
    connection = try DBusConnection(loop: loop, address: .explicit(bus.address))
    try loop.wait { [daemon, connection] in daemon.isThere && connection.uniqueName != nil }
  }

  private func opener(_ claim: SessionClaim = SessionClaim(purpose: "Tests"), patience: Span = .seconds(20)) -> SessionOpener {
    SessionOpener(connection, claim, patience: patience)
  }

  @Test func `the options have what the program states about itself, and nothing else`() throws {
    let keys: (SessionClaim) -> [String] = { ($0.dbusValue.entries ?? []).compactMap { $0.key.string }.sorted() }
    #expect(keys(SessionClaim(purpose: "Tests")) == ["purpose"])
    let claim = SessionClaim(purpose: "Tests", appID: "org.example.Guide", requirements: ["beacons"], isPassive: true)
    #expect(keys(claim) == ["appId", "passive", "purpose", "require"])
    #expect(claim.dbusValue["appId"]?.string == "org.example.Guide" && claim.dbusValue["require"]?.strings == ["beacons"])
  }

  @Test func `an opened session belongs to the caller and stays open`() throws {
    let opener = opener()
    var answers: [String?] = []
    opener.open { answers.append(try? $0.get()) }
    try loop.wait { daemon.waiting == 1 }
    daemon.answer()
    try loop.wait { !answers.isEmpty }
    #expect(answers == [MonitorNames.path(ofSession: "1")])
    try settle()
    #expect(daemon.closed.isEmpty)
  }

  @Test func `a session whose answer comes after the time limit is closed`() throws {
    let opener = opener(patience: .milliseconds(30))
    var errors: [DBusError?] = []
    opener.open { errors.append($0.error) }
    try loop.wait { !errors.isEmpty }
    #expect(errors == [.noReply("beaconmond did not answer within 30ms")])
    daemon.answer()
    try loop.wait { !daemon.closed.isEmpty }
    #expect(daemon.closed == [MonitorNames.path(ofSession: "1")] && errors.count == 1)
  }

  @Test func `a repeated opening sends no second request, and takes the late answer`() throws {
    let opener = opener(patience: .milliseconds(30))
    var failures = 0
    var path: String?
    opener.open { if $0.error != nil { failures += 1 } }
    try loop.wait { failures == 1 }
    opener.open { path = try? $0.get() }
    daemon.answer()
    try loop.wait { path != nil }
    try settle()
    #expect(daemon.requests == 1 && daemon.closed.isEmpty && path == MonitorNames.path(ofSession: "1"))
  }

  @Test func `a session that opens after the opener is released is closed`() throws {
    var opener: SessionOpener? = opener()
    opener?.open { _ in Issue.record("released") }
    try loop.wait { daemon.waiting == 1 }
    opener = nil
    daemon.answer()
    try loop.wait { !daemon.closed.isEmpty }
    #expect(daemon.closed == [MonitorNames.path(ofSession: "1")])
  }

  @Test func `the answer of a daemon that is gone is ignored, and the next daemon receives a request of its own`() throws {
    let opener = opener()
    opener.open { _ in Issue.record("the daemon is gone") }
    try loop.wait { daemon.waiting == 1 }
    opener.daemonVanished()
    var path: String?
    opener.open { path = try? $0.get() }
    try loop.wait { daemon.waiting == 2 }
    daemon.answer()
    daemon.answer()
    try loop.wait { path != nil }
    try settle()
    // The paths of two daemons may be equal, so a session of the former one is not closed at its successor.
    #expect(path == MonitorNames.path(ofSession: "2") && daemon.closed.isEmpty)
  }

  @Test func `a refusal is the answer, and the next opening is another request`() throws {
    let opener = opener()
    var errors: [DBusError?] = []
    for count in 1...2 {
      opener.open { errors.append($0.error) }
      try loop.wait { daemon.waiting == 1 }
      daemon.refuse()
      try loop.wait { errors.count == count }
    }
    #expect(errors.map { $0?.monitorError } == [.limitsExceeded, .limitsExceeded] && daemon.requests == 2)
  }

  /// Waits until the daemon has answered everything that was sent before.
  private func settle() throws {
    var isAnswered = false
    MonitorClient(connection).ping { isAnswered = true }
    try loop.wait { isAnswered }
  }
}

extension Result {
  fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
