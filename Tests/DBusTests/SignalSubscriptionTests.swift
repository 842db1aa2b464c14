import DBus
import EventLoop
import Instants
import TestSupport
import Testing

@Suite struct SignalSubscriptionTests {
  private let fixture: BusFixture

  init() throws {
    fixture = try BusFixture()
  }

  private func settle() throws {
    // The bus delivers earlier messages before the reply.
    let _: Bool = try fixture.loop.value { done in
      fixture.connection.call(
        destination: "org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping"
      ) { _ in done(true) }
    }
  }

  @Test func `ten thousand signals arrive in order`() throws {
    let peer = try fixture.connect()
    var numbers: [Int] = []
    let subscription = fixture.connection.addMatch(MatchRule(sender: peer.uniqueName, member: "Tick")) {
      numbers.append($0.arguments[0].integer() ?? -1)
    }
    try settle()
    let _: Bool = try fixture.loop.value { done in
      for number in 0..<10_000 {
        try peer.emit(path: "/", interface: "org.example.Clock", member: "Tick", [.uint32(UInt32(number))])
      }
      let last = fixture.connection.addMatch(MatchRule(member: "Last")) { _ in done(true) }
      lastSubscription.value = last
      try settleQuietly { [peer] in try peer.emit(path: "/", interface: "org.example.Clock", member: "Last") }
    }
    let inOrder = numbers == Array(0..<10_000)
    #expect(inOrder, "\(numbers.count) came")
    withExtendedLifetime(subscription) {}
  }

  private let lastSubscription = Holder<SignalSubscription>()

  /// Calls `body` once the bus has processed all earlier messages.
  private func settleQuietly(_ body: @escaping () throws -> Void) throws {
    fixture.connection.call(
      destination: "org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping"
    ) { _ in
      do {
        try body()
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func `only signals that match the rule arrive`() throws {
    var heard: [String] = []
    let rules = [
      MatchRule(path: "/a"), MatchRule(pathNamespace: "/a/b"), MatchRule(interface: "org.example.B"), MatchRule(argument0: "it's, 'x'\\"),
    ]
    let names = ["path", "namespace", "interface", "argument"]
    let subscriptions = zip(rules, names).map { rule, name in fixture.connection.addMatch(rule) { heard.append("\(name) \($0.path ?? "")") }
    }
    try settle()
    _ = try fixture.busctl("emit", "/a", "org.example.A", "X", "s", "no")
    _ = try fixture.busctl("emit", "/a/b", "org.example.A", "X", "s", "it's, 'x'\\")
    _ = try fixture.busctl("emit", "/a/bc", "org.example.B", "X")
    _ = try fixture.busctl("emit", "/a/b/c", "org.example.A", "X", "o", "/no")
    try settle()
    #expect(heard == ["path /a", "namespace /a/b", "argument /a/b", "interface /a/bc", "namespace /a/b/c"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `a released subscription is removed locally and at the bus`() throws {
    var heard = 0
    let holder = Holder(fixture.connection.addMatch(MatchRule(member: "X")) { _ in heard += 1 })
    try settle()
    _ = try fixture.busctl("emit", "/a", "org.example.A", "X")
    try settle()
    holder.value = nil
    _ = try fixture.busctl("emit", "/a", "org.example.A", "X")
    try settle()
    #expect(heard == 1)
    let statistics = try fixture.busctl(
      "call", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats", "GetAllMatchRules")
    #expect(!statistics.contains("member='X'"))
  }

  @Test func `a subscription can be released in its own callback`() throws {
    var heard = 0
    let holder = Holder<SignalSubscription>()
    holder.value = fixture.connection.addMatch(MatchRule(member: "X")) { _ in
      heard += 1
      holder.value = nil
    }
    try settle()
    for _ in 0..<2 { _ = try fixture.busctl("emit", "/a", "org.example.A", "X") }
    try settle()
    #expect(heard == 1)
  }

  @Test func `a signal from an impostor of a well-known name is ignored`() throws {
    let (owner, impostor) = (try fixture.connect(), try fixture.connect())
    let name = try fixture.own("org.example.Shop", owner)
    var heard: [String] = []
    let subscription = fixture.connection.addMatch(MatchRule(sender: "org.example.Shop", member: "X")) { heard.append($0.sender ?? "") }
    try settle()
    let me = fixture.connection.uniqueName
    for peer in [impostor, owner] {
      try peer.emit(path: "/", interface: "org.example.A", member: "X", to: me)
      try peer.emit(path: "/", interface: "org.example.A", member: "X")
      let _: Bool = try fixture.loop.value { done in
        peer.call(destination: me ?? "", path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping") { _ in done(true) }
      }
    }
    try settle()
    #expect(heard == [owner.uniqueName, owner.uniqueName].compactMap(\.self))
    withExtendedLifetime((subscription, name)) {}
  }

  @Test func `a match rule that the bus refuses is reported`() throws {
    let error: DBusError = try fixture.loop.value { done in
      fixture.connection.onTrouble = done
      lastSubscription.value = fixture.connection.addMatch(MatchRule(path: "no path")) { _ in }
    }
    #expect(error.isStandard("MatchRuleInvalid"))
    #expect(error.message.contains("path='no path'"))
  }

  @Test func `the text of a rule escapes quotes in values`() {
    let rule = MatchRule(sender: "org.example.A", path: "/a", member: "M", argument0: "it's")
    #expect(rule.text == #"type='signal',sender='org.example.A',path='/a',member='M',arg0='it'\''s'"#)
  }
}
