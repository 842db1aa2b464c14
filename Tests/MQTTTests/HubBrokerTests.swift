import BrokerPublishing
import DeliveryScheduling
import EventLoop
import Events
import FleetMessages
import FleetReporting
import Instants
import Logging
import MQTT
import Publishing
import Records
import TestSupport
import Testing

/// The hub target with a real mosquitto that requires certificates.
@Suite struct HubBrokerTests {
  static let journal = "8ec76ea3-6668-48da-9866-75be8bc86f4d"

  let loop: Loop
  let address: FleetAddress
  let lines = LogLines()

  init() throws {
    loop = try Loop()
    address = try #require(FleetAddress(site: "berlin", device: "door"))
  }

  private func target(_ broker: MosquittoBroker, as client: Certificate? = nil, trusting authority: Certificate? = nil) throws -> HubTarget
  {
    let server = try #require(broker.certificate)
    let own = try client ?? broker.client(named: address.commonName)
    let settings = Broker(
      host: "localhost", port: broker.port, encryption: .tls(certificates: (authority ?? server).file),
      identity: .init(certificate: own.file, key: own.key), client: "beaconmon-berlin.door")
    return HubTarget("hub", loop, MosquittoConnector(loop), .init(settings, address), version: "1.2", log: lines.logger)
  }

  private func delivery(_ sequence: UInt64, journal: String = HubBrokerTests.journal, isTest: Bool = false, text: String = "") -> Delivery {
    let event = Event.of([
      "sequence": .count(sequence), "event": .text("enter"), "region": .text("hall"), "state": .text("inside"), "journal": .text(journal),
    ])
    return Delivery(id: Int64(sequence), message: "door-\(journal)-\(sequence)", event: event, json: event.json + text, isTest: isTest)
  }

  private func outcome(_ target: HubTarget, _ delivery: Delivery) throws -> DeliveryOutcome {
    try loop.value(within: .seconds(40)) { target.deliver(delivery, completion: $0) }
  }

  private func received(_ subscriber: BrokerSubscriber) throws -> [FleetMessage] {
    try subscriber.messages().map { message in
      #expect(message.topic == address.topic)
      return try FleetMessage(message.octets)
    }
  }

  @Test func `events and reports arrive on the topic of the device, with the number of the journal`() throws {
    let broker = try MosquittoBroker(requiresCertificates: true)
    let subscriber = try broker.subscribe(isHexadecimal: true)
    let target = try target(broker)
    #expect(try outcome(target, delivery(41)) == .delivered)
    #expect(try outcome(target, delivery(42)) == .delivered)
    let report = FleetMessage(
      journal: StreamJournal(high: 1, low: 2), sequence: 3, floor: 3, time: 4, body: .report(DeviceReport(version: "1")))
    let isAcknowledged: Bool = try loop.value { target.publish(report, completion: $0) }
    #expect(isAcknowledged)
    try loop.wait { try subscriber.messages().count == 3 }
    let messages = try received(subscriber)
    #expect(messages.map(\.sequence) == [41, 42, 3])
    #expect(messages.map(\.floor) == [41, 42, 3])
    #expect(messages[0].journal == StreamJournal(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d))
    #expect(messages[0].body == .event(json: delivery(41).json))
    #expect(messages[2] == report)
  }

  @Test func `a test sends a report, and no event`() throws {
    let broker = try MosquittoBroker(requiresCertificates: true)
    let subscriber = try broker.subscribe(isHexadecimal: true)
    let target = try target(broker)
    #expect(try outcome(target, delivery(0, isTest: true)) == .delivered)
    try loop.wait { try subscriber.messages().count == 1 }
    #expect(try received(subscriber).first?.body == .report(DeviceReport(version: "1.2")))
  }

  @Test func `an event that a hub cannot take is refused, and the next one is delivered`() throws {
    let broker = try MosquittoBroker(requiresCertificates: true)
    let target = try target(broker)
    let long = try outcome(target, delivery(1, text: String(repeating: " ", count: 20_000)))
    guard case .refused(let reason) = long else {
      Issue.record("\(long)")
      return
    }
    #expect(reason.hasSuffix("and a hub takes at most 16384"))
    #expect(try outcome(target, delivery(2, journal: "j")) == .refused("the event has no number in a journal"))
    #expect(try outcome(target, delivery(3)) == .delivered)
  }

  @Test func `a broker that returns gets the event that failed`() throws {
    let broker = try MosquittoBroker(requiresCertificates: true)
    let target = try target(broker)
    #expect(try outcome(target, delivery(1)) == .delivered)
    broker.stop()
    guard case .failed = try outcome(target, delivery(2)) else {
      Issue.record("a stopped broker took an event")
      return
    }
    try broker.start()
    let subscriber = try broker.subscribe(isHexadecimal: true)
    target.reconnect()
    try loop.wait { target.isConnected }
    #expect(try outcome(target, delivery(2)) == .delivered)
    try loop.wait { try subscriber.messages().count == 1 }
    #expect(try received(subscriber).map(\.sequence) == [2])
  }

  @Test func `a refused certificate, an unknown authority and a missing key are named`() throws {
    let broker = try MosquittoBroker(requiresCertificates: true)
    let folder = try TemporaryDirectory()
    let other = try Certificate(in: folder, named: "other")
    func trouble(as client: Certificate? = nil, trusting authority: Certificate? = nil) throws -> String {
      let target = try target(broker, as: client, trusting: authority)
      try loop.wait { target.trouble != nil }
      return try #require(target.trouble)
    }
    let refusal = try trouble(as: other)
    // The reset of the connection can overtake the alert.
    #expect(refusal.contains("the certificate of this device"))
    let distrust = try trouble(trusting: other)
    #expect(distrust.hasPrefix("the certificate of the broker is not trusted"))
    let missing = Certificate(file: other.file, key: folder.file("missing.key"))
    let absence = try trouble(as: missing)
    #expect(absence == "\(missing.key) cannot be read: No such file or directory (ENOENT)")
  }

  @Test func `two devices with copies of one certificate keep their connections`() throws {
    let broker = try MosquittoBroker(requiresCertificates: true)
    let certificate = try broker.client(named: address.commonName)
    let (first, second) = (try target(broker, as: certificate), try target(broker, as: certificate))
    #expect(try outcome(first, delivery(1)) == .delivered)
    #expect(try outcome(second, delivery(2)) == .delivered)
    #expect(try outcome(first, delivery(3)) == .delivered)
    #expect(first.isConnected && second.isConnected)
    #expect(lines.all.allSatisfy { $0.contains(": connected to ") })
  }

  @Test func `messages of the hub arrive after each connection, and others are logged and ignored`() throws {
    let broker = try MosquittoBroker(requiresCertificates: true)
    let target = try target(broker)
    var received: [HubMessage] = []
    target.onMessage = { received.append($0) }
    let message = HubMessage(number: 1, kind: .rollout, payload: Array(repeating: 0, count: HubMessage.maximumPayloadSize))
    func isReceived(_ count: Int) throws {
      // The broker has no subscription until it has answered the request, which no call of the target reports.
      try loop.wait {
        try broker.publish([0xFF], to: address.commandTopic)
        try broker.publish(message.octets, to: address.commandTopic)
        return received.count >= count
      }
    }
    try isReceived(1)
    #expect(lines.all.filter { $0.contains("ignored a message of the hub") }.count == 1)
    broker.stop()
    try loop.wait { !target.isConnected }
    try broker.start()
    target.reconnect()
    received = []
    try isReceived(1)
    #expect(received.allSatisfy { $0 == message })
  }

  @Test func `a refused subscription can be repeated on the same connection`() throws {
    let peer = try StreamPeer(loop)
    let broker = Broker(host: "127.0.0.1", port: Int(peer.port), client: "c")
    let link = BrokerLink(loop, MosquittoConnector(loop), to: broker, will: nil, subscription: address.commandTopic)
    var answers: [Bool] = []
    link.onSubscribed = { answers.append($0) }
    link.connect()
    try loop.wait { peer.heard.contains("MQTT") }
    peer.forget()
    peer.send([0x20, 2, 0, 0])
    // The numbers of the requests begin with 1.
    for (number, code) in [(UInt8(1), UInt8(0x80)), (2, 0x80), (3, 1)] {
      try loop.wait { peer.heard.contains(address.commandTopic) }
      peer.forget()
      peer.send([0x90, 3, 0, number, code])
      try loop.wait { answers.count == Int(number) }
      link.subscribe()
    }
    #expect(answers == [false, false, true])
    #expect(peer.connections == 1)
  }
}
