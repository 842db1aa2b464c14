import DeliveryScheduling
import EventLoop
import Events
import FleetMessages
import Instants
import MQTT
import Publishing
import Records
import TestSupport
import Testing

/// The hub target with a broker that sends what no broker should, or is slow.
@Suite struct HostileBrokerTests {
  private static let welcome: [UInt8] = [0x20, 2, 0, 0]

  let loop: Loop
  let address: FleetAddress
  let lines = LogLines()

  init() throws {
    loop = try Loop()
    address = try #require(FleetAddress(site: "berlin", device: "door"))
  }

  /// Connects a target, and calls `body` with it and its broker.
  private func withConnection(_ body: (HubTarget, StreamPeer) throws -> Void) throws {
    let peer = try StreamPeer(loop)
    let broker = Broker(host: "127.0.0.1", port: Int(peer.port), client: "")
    let target = HubTarget("hub", loop, .init(broker, address), version: "1", log: lines.logger)
    try loop.wait { peer.heard.contains("MQTT") }
    peer.send(Self.welcome)
    try loop.wait { target.isConnected }
    try body(target, peer)
  }

  @Test(arguments: [false, true], [false, true])
  func `an event is delivered by an acknowledgement that comes after its attempt, and is not sent twice`(isInPause: Bool, isHub: Bool)
    throws
  {
    let peer = try StreamPeer(loop)
    let broker = Broker(host: "127.0.0.1", port: Int(peer.port), client: "beaconmon")
    let target: any DeliveryTarget =
      isHub
      ? HubTarget("hub", loop, .init(broker, address), version: "1", patience: .milliseconds(500), log: lines.logger)
      : MQTTTarget("home", loop, identity(broker), patience: .milliseconds(500), log: lines.logger)
    var outcomes: [DeliveryOutcome] = []
    func deliver(_ sequence: UInt64, id: Int64) {
      let event = Event.of([
        "sequence": .count(sequence), "event": .text("enter"), "region": .text("hall"), "state": .text("inside"),
        "journal": .text(HubTargetTests.journal),
      ])
      target.deliver(Delivery(id: id, message: "door-\(sequence)", event: event, json: event.json)) { outcomes.append($0) }
    }
    deliver(1, id: 1)
    // Without a connection, the first attempt sends nothing.
    try loop.wait { outcomes.count == 1 }
    peer.send(Self.welcome)
    try loop.wait { lines.all.contains { $0.contains(": connected") } }
    deliver(1, id: 1)
    try loop.wait { peer.heard.contains("hall") }
    try loop.wait { outcomes.count == 2 }
    peer.forget()
    // The outbox may have moved to another file, with other ids.
    if !isInPause { deliver(1, id: 2) }
    // The subscription or the status has the number 1.
    peer.send([0x40, 2, 0, 2])
    try pass(.milliseconds(100))
    if isInPause { deliver(1, id: 2) }
    try loop.wait { outcomes.count == 3 }
    #expect(outcomes.last == .delivered)
    #expect(!peer.heard.contains("hall"))
    deliver(2, id: 2)
    try loop.wait { peer.heard.contains("hall") }
    peer.send([0x40, 2, 0, 3])
    try loop.wait { outcomes.count == 4 }
    #expect(outcomes.last == .delivered)
  }

  @Test func `a message that the broker forgets ends the connection, although others are acknowledged`() throws {
    let peer = try StreamPeer(loop)
    let broker = Broker(host: "127.0.0.1", port: Int(peer.port), client: "")
    let target = HubTarget("hub", loop, .init(broker, address), version: "1", longestSilence: .milliseconds(300), log: lines.logger)
    try loop.wait { peer.heard.contains("MQTT") }
    peer.send(Self.welcome)
    try loop.wait { target.isConnected }
    let start = loop.now
    let message = FleetMessage(journal: .init(high: 1, low: 1), sequence: 1, floor: 1, time: 1, body: .digest([]))
    target.publish(message) { _ in }
    for number in UInt8(3)...255 where target.isConnected {
      target.publish(message) { _ in }
      peer.send([0x40, 2, 0, number])
      try pass(.milliseconds(50))
    }
    #expect((1.4...6).contains((loop.now - start).seconds))
    #expect(target.trouble?.contains("the broker has not acknowledged a message") == true)
  }

  @Test func `the next event is not delivered by the acknowledgement of an earlier one`() throws {
    let peer = try StreamPeer(loop)
    let target = MQTTTarget(
      "home", loop, identity(Broker(host: "127.0.0.1", port: Int(peer.port), client: "beaconmon")), patience: .milliseconds(500),
      log: lines.logger)
    try loop.wait { peer.heard.contains("MQTT") }
    peer.send(Self.welcome)
    try loop.wait { lines.all.contains { $0.contains(": connected") } }
    var outcomes: [DeliveryOutcome] = []
    func deliver(_ id: Int64) {
      target.deliver(Delivery(id: id, message: "m\(id)", event: Event.of([:]), json: "{\"n\":\(id)}")) { outcomes.append($0) }
    }
    deliver(1)
    try loop.wait { outcomes.count == 1 }
    // As many messages as may wait for an acknowledgement, so that the next event is not sent yet.
    target.publish((0..<64).map { Publication("t", "\($0)", isRetained: false) })
    deliver(2)
    peer.send([0x40, 2, 0, 2])
    try loop.wait { outcomes.count == 2 }
    #expect(outcomes[1] != .delivered)
  }

  @Test func `a broker for smart homes that forgets an event loses its connection, and gets the event again`() throws {
    let peer = try StreamPeer(loop)
    let target = MQTTTarget(
      "home", loop, identity(Broker(host: "127.0.0.1", port: Int(peer.port), client: "beaconmon")), longestSilence: .milliseconds(400),
      patience: .milliseconds(200), log: lines.logger)
    try loop.wait { peer.heard.contains("MQTT") }
    peer.send(Self.welcome)
    try loop.wait { lines.all.contains { $0.contains(": connected") } }
    var outcomes: [DeliveryOutcome] = []
    let delivery = Delivery(id: 1, message: "m", event: Event.of([:]), json: "{\"n\":1}")
    target.deliver(delivery) { outcomes.append($0) }
    try loop.wait { lines.all.contains { $0.contains("the broker has not acknowledged a message") } }
    try loop.wait { peer.connections == 2 }
    peer.forget()
    target.deliver(delivery) { outcomes.append($0) }
    peer.send(Self.welcome)
    try loop.wait { peer.heard.contains("{\"n\":1}") }
  }

  private func identity(_ broker: Broker) -> MQTTTarget.Identity {
    let topics = TopicTree(base: "b")
    return .init(broker, topics, nil, formerPlace: DiscoveryPlace(prefix: "homeassistant", base: topics.base, device: "d"))
  }

  private func pass(_ time: Span) throws {
    let end = loop.now + time
    try loop.wait { loop.now >= end }
  }

  @Test func `a repeated answer to the login ends the connection`() throws {
    try withConnection { target, peer in
      var changes = 0
      target.onConnectionChange = { changes += 1 }
      for _ in 1...100 { peer.send(Self.welcome) }
      try loop.wait { !target.isConnected }
      #expect(target.trouble?.contains("the broker answered the login twice") == true)
      #expect(changes == 1)
      #expect(lines.all.filter { $0.contains("connected to") }.count == 1)
    }
  }

  @Test func `repeated answers to a subscription have no effect`() throws {
    try withConnection { target, peer in
      for _ in 1...100 {
        peer.send([0x90, 3, 0, 1, 0x80])
        peer.send([0x90, 3, 0, 1, 1])
      }
      try loop.wait { target.trouble != nil }
      try pass(.milliseconds(300))
      #expect(target.trouble?.contains("refuses the topic") == true)
      #expect(lines.all.filter { $0.contains("the topic") }.count == 1)
    }
  }

  @Test func `a message that is too large ends the connection before it is complete`() throws {
    try withConnection { target, peer in
      let topic = Array(address.commandTopic.utf8)
      // The message has 256 MiB, of which 1 MiB comes.
      peer.send([0x30, 0xFF, 0xFF, 0xFF, 0x7F, 0, UInt8(topic.count)] + topic)
      for _ in 1...16 { peer.send([UInt8](repeating: 0, count: 65_536)) }
      try loop.wait { !target.isConnected }
      #expect(target.trouble?.contains("a message of more than 256 KiB") == true)
    }
  }

  @Test func `many answers to pings keep the connection`() throws {
    try withConnection { target, peer in
      let pongs = [[UInt8]](repeating: [0xD0, 0], count: 16_384).flatMap(\.self)
      for _ in 1...16 { peer.send(pongs) }
      // The message comes after all of them.
      var count = 0
      target.onMessage = { _ in count += 1 }
      let topic = Array(address.commandTopic.utf8)
      let message = HubMessage(number: 1, kind: .rollout, payload: []).octets
      peer.send([0x30, UInt8(2 + topic.count + message.count), 0, UInt8(topic.count)] + topic + message)
      try loop.wait { count == 1 || !target.isConnected }
      #expect(target.isConnected)
    }
  }

  @Test func `many messages of the largest size keep the connection`() throws {
    try withConnection { target, peer in
      let topic = Array(address.commandTopic.utf8)
      var count = 0
      target.onMessage = { _ in count += 1 }
      let message = HubMessage(number: 1, kind: .rollout, payload: Array(repeating: 0, count: HubMessage.maximumPayloadSize)).octets
      let size = 2 + topic.count + message.count
      let head = [0x30, UInt8(size & 127 | 128), UInt8(size >> 7 & 127 | 128), UInt8(size >> 14), 0, UInt8(topic.count)]
      for _ in 1...40 { peer.send(head + topic + message) }
      try loop.wait { count == 40 }
      #expect(target.isConnected)
    }
  }

  @Test func `a message that the broker may hold back ends the connection`() throws {
    try withConnection { target, peer in
      let topic = Array(address.commandTopic.utf8)
      // Its quality of service is 2.
      peer.send([0x34, UInt8(2 + topic.count + 2 + 1), 0, UInt8(topic.count)] + topic + [0, 9, 0xFF])
      try loop.wait { !target.isConnected }
      #expect(target.trouble?.contains("a message with quality of service 2") == true)
    }
  }
}
