import BrokerPublishing
import DeliveryScheduling
import Events
import FleetMessages
import Instants
import Publishing
import Records
import TestSupport
import Testing

@testable import FleetReporting

@Suite struct HubTargetTests {
  let scheduler = ManualScheduler()
  let broker: FakeConnector
  let address: FleetAddress
  let lines = LogLines()
  let message = FleetMessage(journal: .init(high: 1, low: 1), sequence: 1, floor: 1, time: 1, body: .digest([]))

  init() throws {
    broker = FakeConnector(scheduler)
    address = try #require(FleetAddress(site: "berlin", device: "door"))
  }

  private func target() -> HubTarget {
    HubTarget(
      "hub", scheduler, broker, .init(Broker(host: "hub", port: 8883, client: ""), address), version: "1", log: lines.logger)
  }

  private func connect() throws -> FakeConnector.Connection {
    let connection = try broker.connection
    connection.step(.connected)
    return connection
  }

  /// Ends the connection, and waits longer than any pause.
  private func lose(_ connection: FakeConnector.Connection, _ reason: BrokerError = BrokerError("unexpected eof", .closed)) {
    connection.step(.ended(reason))
    scheduler.advance(by: .seconds(120))
  }

  @Test func `the client identifier has the common name and 16 digits`() throws {
    let (first, second) = (target(), target())
    scheduler.settle()
    let clients = broker.connections.map(\.broker.client)
    #expect(clients.allSatisfy { $0.hasPrefix("berlin.door.") && $0.count == 28 })
    #expect(Set(clients).count == 2)
    withExtendedLifetime((first, second)) {}
  }

  // MARK: Messages of the hub

  @Test func `a refused subscription is repeated on the same connection until the broker accepts it`() throws {
    let target = target()
    let connection = try connect()
    for count in 1...3 {
      #expect(connection.subscriptions == Array(repeating: address.commandTopic, count: count))
      connection.step(.subscribed(isAccepted: false))
      #expect(target.trouble?.hasPrefix("the broker refuses the topic \(address.commandTopic)") == true)
      scheduler.advance(by: .seconds(224))
      #expect(connection.subscriptions.count == count)
      scheduler.advance(by: .seconds(151))
    }
    connection.step(.subscribed(isAccepted: true))
    #expect(target.isConnected)
    #expect(target.trouble == nil)
    scheduler.advance(by: .seconds(3600))
    #expect(connection.subscriptions.count == 4)
    #expect(lines.all.filter { $0.contains("refuses the topic") }.count == 1)
    #expect(lines.all.last == "hub: the broker accepts the topic \(address.commandTopic) now")
  }

  @Test func `a subscription without an answer is repeated until its connection ends`() throws {
    let target = target()
    let connection = try connect()
    scheduler.advance(by: .seconds(375))
    #expect(connection.subscriptions.count == 2)
    scheduler.advance(by: .seconds(375))
    #expect(connection.subscriptions.count == 3)
    connection.step(.ended(BrokerError("cut")))
    scheduler.advance(by: .seconds(3600))
    #expect(connection.subscriptions.count == 3)
    withExtendedLifetime(target) {}
  }

  @Test func `after a refusal ends with its connection, the loss of the connection is the reported trouble`() throws {
    let target = target()
    let connection = try connect()
    connection.step(.subscribed(isAccepted: false))
    connection.step(.ended(BrokerError("unexpected eof", .closed)))
    #expect(target.trouble == "the broker has ended the connection")
    scheduler.advance(by: .seconds(120))
    let next = try connect()
    #expect(target.trouble == nil)
    next.step(.subscribed(isAccepted: true))
    // The time of the repetition on the former connection.
    scheduler.advance(by: .seconds(375))
    #expect(next.subscriptions.count == 1)
  }

  @Test func `one message of each connection that cannot be read is logged`() throws {
    let target = target()
    var received: [HubMessage] = []
    target.onMessage = { received.append($0) }
    let message = HubMessage(number: 1, kind: .rollout, payload: [])
    for count in 1...2 {
      let connection = try connect()
      for octets in [[0xFF], message.octets, [0xFE]] { connection.step(.message(octets)) }
      #expect(received == Array(repeating: message, count: count))
      #expect(lines.all.filter { $0.contains("ignored a message of the hub") }.count == count)
      lose(connection)
    }
  }

  // MARK: Losses

  @Test func `a second connection that ends after each publish is explained by the topic, with growing pauses`() throws {
    let target = target()
    for count in 1...3 {
      let connection = try connect()
      target.publish(message) { _ in }
      lose(connection)
      let text = try #require(target.trouble)
      #expect(text.contains("it may refuse the topic \(address.topic)") == (count > 1), "\(text)")
      if count == 1 { #expect(text == "the connection ended before the broker had acknowledged a message: unexpected eof") }
    }
    #expect(broker.connections.map(\.attempt) == [0, 1, 2, 3])
  }

  @Test(arguments: ["an acknowledgement", "no message", "a silent broker"])
  func `connections that do not end after a publish begin the count again`(end: String) throws {
    let target = target()
    func cut() throws {
      let connection = try connect()
      target.publish(message) { _ in }
      lose(connection)
    }
    try cut()
    let connection = try connect()
    switch end {
    case "an acknowledgement":
      for _ in 1...2 { target.publish(message) { _ in } }
      connection.step(.acknowledged(1))
      lose(connection)
    case "no message": lose(connection)
    default:
      target.publish(message) { _ in }
      scheduler.advance(by: .seconds(60))
      #expect(target.trouble == "the broker has not acknowledged a message for 60 s")
      scheduler.advance(by: .seconds(120))
    }
    try cut()
    #expect(target.trouble == "the connection ended before the broker had acknowledged a message: unexpected eof")
    try cut()
    #expect(target.trouble?.contains("it may refuse the topic") == true)
  }

  @Test func `failed attempts between two cuts do not change the count of cuts`() throws {
    let target = target()
    for _ in 1...2 {
      let connection = try connect()
      target.publish(message) { _ in }
      lose(connection)
      if broker.connections.count == 2 {
        lose(try broker.connection, BrokerError("refused"))
        #expect(target.trouble == "refused")
      }
    }
    #expect(target.trouble?.contains("it may refuse the topic") == true)
  }

  @Test(arguments: [
    (BrokerError.Kind.closed, "the broker ended the connection before the login (words); it may refuse the certificate of this device"),
    (.reset, "the broker ended the connection before the login (words); it may refuse the certificate of this device"),
    (.untrustedBroker, "the certificate of the broker is not trusted (words); check ca and url in [notifier.hub], and the clock"),
    (
      .refusedCertificate,
      "the broker refuses the certificate of this device (words); enrol the device again, or correct certificate and key"
    ),
    (.refusedLogin, "the broker refuses the name berlin.door (words); enrol this device at the hub"),
    (.other, "words"),
  ])
  func `a failed attempt is explained, and logged once`(kind: BrokerError.Kind, text: String) throws {
    let target = target()
    #expect(target.trouble == nil)
    for _ in 1...2 { lose(try broker.connection, BrokerError("words", kind)) }
    #expect(target.trouble == text)
    #expect(lines.all == ["hub: not connected: \(text); retrying"])
  }

  @Test func `the end of a connection completes its messages in their order before the change is reported`() throws {
    let target = target()
    var steps: [String] = []
    target.onConnectionChange = { steps.append(target.isConnected ? "begin" : "end") }
    target.onReturn = { steps.append("return") }
    let connection = try connect()
    for name in ["a", "b", "c"] { target.publish(message) { steps.append("\(name) \($0)") } }
    connection.step(.acknowledged(2))
    connection.step(.ended(BrokerError("cut")))
    #expect(steps == ["begin", "return", "b true", "a false", "c false", "end"])
    target.publish(message) { steps.append("d \($0)") }
    #expect(steps.count == 6, "the completion came inside the call")
    scheduler.settle()
    #expect(steps.last == "d false")
  }

  @Test func `an event waits for the connection, and its number and time are those of the journal and of the clock`() throws {
    let target = target()
    let event = Event.of([
      "sequence": .count(41), "event": .text("enter"), "region": .text("hall"), "state": .text("inside"),
      "journal": .text("8ec76ea3-6668-48da-9866-75be8bc86f4d"),
    ])
    var outcomes: [DeliveryOutcome] = []
    target.deliver(Delivery(id: 1, message: "m", event: event, json: event.json)) { outcomes.append($0) }
    let connection = try connect()
    let octets = try #require(connection.published.first?.payload)
    let sent = try FleetMessage(octets)
    #expect((sent.sequence, sent.time) == (41, 1_800_000_000_000))
    connection.step(.acknowledged(1))
    #expect(outcomes == [.delivered])
  }
}
