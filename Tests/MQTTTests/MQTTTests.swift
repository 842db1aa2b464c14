import BrokerPublishing
import DeliveryScheduling
import EventLoop
import Events
import Instants
import Logging
import MQTT
import Publishing
import Records
import TestSupport
import Testing

/// The target with a real mosquitto.
@Suite struct MQTTTests {
  private typealias Message = BrokerSubscriber.Message

  let loop: Loop
  let topics = TopicTree(base: "beaconmon/shop")

  init() throws {
    loop = try Loop()
  }

  private func target(
    _ broker: MosquittoBroker, isTest: Bool = false, _ change: (inout Broker) -> Void = { _ in }, announcing: [Publication] = [],
    clearing: [Publication] = [], onCleared: @escaping () -> Void = {}
  ) -> MQTTTarget {
    var settings = Broker(host: "localhost", port: broker.port, client: "beaconmon-1")
    if let certificate = broker.certificate {
      settings.encryption = .tls(certificates: certificate.file)
      settings.username = MosquittoBroker.username
      settings.password = MosquittoBroker.password
    }
    change(&settings)
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let place = DiscoveryPlace(prefix: "homeassistant", base: topics.base, device: "d")
    let identity = MQTTTarget.Identity(settings, topics, nil, formerPlace: place)
    let target = MQTTTarget("home", loop, MosquittoConnector(loop), identity, isTest: isTest, log: log) {
      Announcement(AnySequence(announcing), clearings: clearing, onCleared: onCleared)
    }
    target.isCurrent = true
    return target
  }

  private func delivery(_ id: Int64, _ event: String = "enter", _ region: String = "front hall", isTest: Bool = false) -> Delivery {
    let record = Event.of([
      "sequence": .count(UInt64(id)), "event": .text(event), "region": .text(region),
      "state": .text(event == "enter" ? "inside" : "outside"),
    ])
    return Delivery(id: id, message: "d-j-\(id)", event: record, json: record.json, isTest: isTest)
  }

  private func outcome(_ target: MQTTTarget, _ delivery: Delivery) throws -> DeliveryOutcome {
    try loop.value(within: .seconds(40)) { target.deliver(delivery, completion: $0) }
  }

  /// Retries until the delivery succeeds, as the outbox does.
  private func deliver(_ target: MQTTTarget, _ delivery: Delivery) throws {
    let deadline = loop.now + .seconds(40)
    while try outcome(target, delivery) != .delivered {
      guard loop.now < deadline else { throw Timeout() }
      // The pause between two attempts, until the deadline.
      try loop.run(for: .milliseconds(50))
    }
  }

  @Test(arguments: [true, false])
  func `an event arrives as history, and a state is retained`(encrypted: Bool) throws {
    let broker = try MosquittoBroker(encrypted: encrypted)
    let live = try broker.subscribe()
    let target = target(broker)
    try deliver(target, delivery(1))
    try deliver(target, delivery(2, "exit"))
    target.publish(topics.retained(.outside, nil, of: "front hall"))
    let json = #"{"sequence":2,"event":"exit","region":"front hall","state":"outside"}"#
    try loop.wait { try live.messages().count { $0.topic == "beaconmon/shop/events" } == 2 }
    #expect(try live.messages().last { $0.topic == "beaconmon/shop/events" }?.payload == json)
    try loop.wait { try live.messages().contains { $0.topic.hasSuffix("/beacon") } }
    #expect(try live.messages().last { $0.topic == "beaconmon/shop/events" }?.payload == json)
    let kept = Set(try broker.subscribe("beaconmon/#").messages())
    #expect(
      kept == [
        Message(isRetained: true, topic: "beaconmon/shop/status", payload: "online"),
        Message(isRetained: true, topic: "beaconmon/shop/region/front_20hall/state", payload: "outside"),
        Message(isRetained: true, topic: "beaconmon/shop/region/front_20hall/beacon", payload: "none"),
      ])
  }

  @Test func `a client that disappears is published as offline`() throws {
    let broker = try MosquittoBroker()
    let live = try broker.subscribe("beaconmon/shop/status")
    var target: MQTTTarget? = target(broker)
    try loop.wait { try live.messages().map(\.payload) == ["online"] }
    target?.isCurrent = false
    try loop.wait { try live.messages().map(\.payload) == ["online", "offline"] }
    target?.isCurrent = true
    try loop.wait { try live.messages().map(\.payload) == ["online", "offline", "online"] }
    target = nil
    try loop.wait { try live.messages().map(\.payload) == ["online", "offline", "online", "offline"] }
  }

  @Test func `a restarted broker receives all messages, announcements first`() throws {
    let broker = try MosquittoBroker()
    let target = target(broker, announcing: [Publication("homeassistant/x/config", "{}", isRetained: true)])
    try deliver(target, delivery(1))
    broker.stop()
    guard case .failed = try outcome(target, delivery(2)) else {
      Issue.record("delivered without a broker")
      return
    }
    try broker.start()
    let live = try broker.subscribe()
    try deliver(target, delivery(2))
    try deliver(target, delivery(3))
    try loop.wait { try live.messages().count >= 4 }
    let topics = try live.messages().map(\.topic)
    #expect(Array(topics.prefix(2)) == ["homeassistant/x/config", "beaconmon/shop/status"])
    let sequences = try live.messages().filter { $0.topic.hasSuffix("/events") }.map { $0.payload.prefix(13) }
    #expect(sequences == [#"{"sequence":2"#, #"{"sequence":3"#])
  }

  @Test func `the topics of removed entities are cleared a while after the entities, and then reported`() throws {
    let broker = try MosquittoBroker(encrypted: false)
    let live = try broker.subscribe()
    var hasCleared = false
    let removal = Publication("homeassistant/x/config", "", isRetained: true)
    let target = target(broker, announcing: [removal], clearing: [Publication("beaconmon/x", "", isRetained: true)]) { hasCleared = true }
    try deliver(target, delivery(1))
    let begin = loop.now
    #expect(try live.messages().map(\.topic).contains("beaconmon/x") == false)
    try loop.wait { hasCleared }
    #expect(loop.now - begin > .seconds(4))
    // The broker acknowledges before its subscribers have the message.
    try loop.wait { try live.messages().last?.topic == "beaconmon/x" }
  }

  @Test func `a state that waits does not follow the announcement of a later one`() throws {
    let broker = try MosquittoBroker(encrypted: false)
    let live = try broker.subscribe("beaconmon/x")
    let target = target(broker, announcing: [Publication("beaconmon/x", "new", isRetained: true)])
    try deliver(target, delivery(1))
    // More messages than may wait for an acknowledgement.
    let readings = (0..<100).map { Publication("beaconmon/y", "\($0)", isRetained: false) }
    target.publish(readings + [Publication("beaconmon/x", "old", isRetained: true)])
    target.announce()
    try deliver(target, delivery(2))
    try loop.wait { try live.messages().count >= 2 }
    #expect(try live.messages().last?.payload == "new")
  }

  @Test func `a connection that begins without present states is published as offline`() throws {
    let broker = try MosquittoBroker(encrypted: false)
    let live = try broker.subscribe("beaconmon/shop/status")
    let target = target(broker)
    target.isCurrent = false
    try loop.wait { try live.messages().map(\.payload) == ["offline"] }
    withExtendedLifetime(target) {}
  }

  @Test func `a broker that does not answer is a failure`() throws {
    let broker = try MosquittoBroker(encrypted: false)
    let target = target(broker)
    try deliver(target, delivery(1))
    broker.freeze()
    #expect(try outcome(target, delivery(2)) == .failed("the broker does not respond"))
  }

  @Test func `a test event is published and changes no retained message`() throws {
    let broker = try MosquittoBroker()
    let live = try broker.subscribe("beaconmon/#")
    let target = target(broker, isTest: true, announcing: [Publication("homeassistant/x/config", "{}", isRetained: true)])
    try deliver(target, delivery(1, isTest: true))
    target.isCurrent = false
    try loop.wait { try !live.messages().isEmpty }
    #expect(try live.messages().map(\.topic) == ["beaconmon/shop/events"])
    #expect(try broker.subscribe("#").messages().isEmpty)
  }

  @Test func `an untrusted certificate, or one for another name, is refused`() throws {
    let broker = try MosquittoBroker()
    for change: (inout Broker) -> Void in [{ $0.encryption = .tls(certificates: nil) }, { $0.host = "127.0.0.1" }] {
      guard case .failed(let reason, _) = try outcome(target(broker, change), delivery(1)) else {
        Issue.record("the certificate was accepted")
        return
      }
      #expect(reason.contains("certificate"), "\(reason)")
    }
  }

  @Test func `a wrong password is reported and not shown`() throws {
    let broker = try MosquittoBroker()
    guard case .failed(let reason, _) = try outcome(target(broker) { $0.password = "wr0ng" }, delivery(1)) else {
      Issue.record("the password was accepted")
      return
    }
    #expect(reason.contains("not authorised"), "\(reason)")
    #expect(!reason.contains("wr0ng"))
  }

  @Test func `an unknown host is reported`() throws {
    let broker = try MosquittoBroker(encrypted: false)
    let outcome = try outcome(target(broker) { $0.host = "broker.invalid" }, delivery(1))
    #expect(outcome == .failed("unknown host broker.invalid"))
  }

  @Test(arguments: [false, true])
  func `a refused connection is at once a failure with its reason`(encrypted: Bool) throws {
    let broker = try MosquittoBroker(encrypted: encrypted)
    broker.stop()
    let begin = loop.now
    guard case .failed(let reason, _) = try outcome(target(broker) { $0.host = "127.0.0.1" }, delivery(1)) else {
      Issue.record("delivered without a broker")
      return
    }
    #expect(reason.contains("refused"), "\(reason)")
    // The limit for an answer is 10 seconds, during which the loop would spin.
    #expect(loop.now - begin < .seconds(8))
  }
}
