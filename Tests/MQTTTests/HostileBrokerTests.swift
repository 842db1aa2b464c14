import EventLoop
import FleetMessages
import FleetReporting
import Instants
import MQTT
import Publishing
import TestSupport
import Testing

/// The hub target with a broker that sends what no broker should.
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
    let target = HubTarget("hub", loop, MosquittoConnector(loop), .init(broker, address), version: "1", log: lines.logger)
    try loop.wait { peer.heard.contains("MQTT") }
    peer.send(Self.welcome)
    try loop.wait { target.isConnected }
    try body(target, peer)
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
