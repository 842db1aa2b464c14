import Instants
import Testing

@testable import MonitorService

@Suite struct ClientLivenessTests {
  var liveness = ClientLiveness()

  func at(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }

  @Test mutating func `the first message requires an answer, and so does the next one after three seconds`() {
    #expect(liveness.snapshot(of: 100, at: at(0)) == .send(asking: true))
    liveness.answered()
    for second in [1.0, 2, 2.9] { #expect(liveness.snapshot(of: 100, at: at(second)) == .send(asking: false)) }
    #expect(liveness.event(of: 100, at: at(3)) == .send(asking: true))
  }

  @Test mutating func `snapshots are dropped from the fifth second without an answer, and resume with it`() {
    _ = liveness.snapshot(of: 100, at: at(0))
    #expect(liveness.snapshot(of: 100, at: at(4.9)) == .send(asking: false))
    #expect(liveness.snapshot(of: 100, at: at(5)) == .drop)
    #expect(liveness.event(of: 100, at: at(6)) == .send(asking: false))
    liveness.answered()
    #expect(liveness.snapshot(of: 100, at: at(7)) == .send(asking: true))
  }

  @Test mutating func `a client without an answer for thirty seconds is lost`() {
    _ = liveness.snapshot(of: 100, at: at(0))
    #expect(!liveness.isLost(at: at(29.9)))
    #expect(liveness.isLost(at: at(30)))
    #expect(liveness.snapshot(of: 100, at: at(30)) == .end("the client has not read for 30s"))
    #expect(liveness.event(of: 100, at: at(31)) == .end("the client has not read for 30s"))
  }

  @Test mutating func `a client may leave two changes of all its regions unanswered, and is ended after one more`() {
    for _ in 0...512 { if case .end = liveness.event(of: 1000, at: at(0)) { Issue.record("too early") } }
    #expect(liveness.event(of: 1000, at: at(1)) == .end("the client left 512 events unread"))
    liveness.answered()
    for _ in 0..<512 { if case .end = liveness.event(of: 1000, at: at(2)) { Issue.record("too early") } }
  }

  @Test mutating func `a client with twice the window of unanswered events is ended`() {
    var onItsWay = 0
    while liveness.snapshot(of: 30_000, at: at(0)) != .wait { onItsWay += 30_000 }
    while case .send = liveness.event(of: 10_000, at: at(1)) { onItsWay += 10_000 }
    #expect(onItsWay > ClientLiveness.window * 3 / 2 && onItsWay <= ClientLiveness.window * 2)
    #expect(liveness.event(of: ClientLiveness.window, at: at(1)) != .send(asking: false))
  }

  @Test mutating func `unanswered messages never exceed the window, and a client that answers receives all of it`() {
    var (sent, onItsWay, sinceAsked) = (0, 0, 0)
    for _ in 0..<10_000 {
      switch liveness.snapshot(of: 30_000, at: at(1)) {
      case .send(let asking):
        onItsWay += 30_000
        sinceAsked = asking ? 0 : sinceAsked + 30_000
        sent += 1
      case .wait:
        // An answer confirms that the client has read all earlier messages.
        liveness.answered()
        onItsWay = sinceAsked
      case .drop, .end: Issue.record("neither is due")
      }
      #expect(onItsWay <= ClientLiveness.window)
    }
    #expect(sent > 9000)
  }

  @Test mutating func `a message larger than the window is sent alone`() {
    #expect(liveness.snapshot(of: 3 << 20, at: at(0)) == .send(asking: true))
    #expect(liveness.snapshot(of: 100, at: at(0)) == .wait)
    liveness.answered()
    #expect(liveness.snapshot(of: 3 << 20, at: at(0)) == .send(asking: true))
  }

  @Test mutating func `no answer is required while no message is sent`() {
    _ = liveness.snapshot(of: 100, at: at(0))
    liveness.answered()
    #expect(!liveness.isLost(at: at(1000)))
  }
}
