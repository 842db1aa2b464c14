import DBus
import EventLoop
import Instants
import TestSupport
import Testing

/// A connection that reads dense traffic in batches loses no message and keeps their order.
@Suite struct GatheringTests {
  private let fixture: BusFixture
  private let peer: DBusConnection

  init() throws {
    fixture = try BusFixture()
    peer = try fixture.connect()
    fixture.connection.gathersMessages = true
  }

  private func ping(_ completion: @escaping (Bool) -> Void) {
    fixture.connection.call(
      destination: "org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping"
    ) { reply in if case .success = reply { completion(true) } else { completion(false) } }
  }

  private func tick(_ number: Int) throws {
    try peer.emit(path: "/", interface: "org.example.Clock", member: "Tick", [.uint32(UInt32(number))])
  }

  @Test(arguments: [1, 40, 2000])
  func `signals in bursts of any size arrive once and in order`(burst: Int) throws {
    var numbers: [Int] = []
    let total = 4000
    let subscription = fixture.connection.addMatch(MatchRule(sender: peer.uniqueName, member: "Tick")) {
      numbers.append($0.arguments[0].integer() ?? -1)
      if numbers.count == total { fixture.loop.stop() }
    }
    #expect(try fixture.loop.value { ping($0) })
    var sent = 0
    let clock = Holder<Timer>()
    clock.value = fixture.loop.timer {
      do {
        for _ in 0..<burst where sent < total {
          try tick(sent)
          sent += 1
        }
      } catch {
        Issue.record(error)
      }
      if sent < total { clock.value?.arm(after: .milliseconds(1)) }
    }
    clock.value?.arm(after: .zero)
    let limit = fixture.loop.timer { [loop = fixture.loop] in loop.stop() }
    limit.arm(after: .seconds(30))
    while numbers.count < total, limit.due != nil { _ = try fixture.loop.run() }
    let inOrder = numbers == Array(0..<total)
    #expect(inOrder, "\(numbers.count) came")
    clock.value = nil
    withExtendedLifetime(subscription) {}
  }

  @Test func `calls during a flood of signals are answered`() throws {
    let subscription = fixture.connection.addMatch(MatchRule(sender: peer.uniqueName, member: "Tick")) { _ in }
    for number in 0..<5000 { try tick(number) }
    for _ in 0..<20 { #expect(try fixture.loop.value { ping($0) }) }
    withExtendedLifetime(subscription) {}
  }

  @Test func `the loss of the bus during a read pause is noticed`() throws {
    let subscription = fixture.connection.addMatch(MatchRule(sender: peer.uniqueName, member: "Tick")) { _ in }
    for number in 0..<5000 { try tick(number) }
    let wasLost: Bool = try fixture.loop.value { done in
      fixture.connection.onStateChange = { if case .disconnected = $0 { done(true) } }
      try fixture.bus.restart()
    }
    #expect(wasLost)
    withExtendedLifetime(subscription) {}
  }
}
