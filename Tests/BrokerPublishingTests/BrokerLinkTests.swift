import Instants
import Publishing
import TestSupport
import Testing

@testable import BrokerPublishing

@Suite struct BrokerLinkTests {
  let scheduler = ManualScheduler()
  let broker: FakeConnector

  init() {
    broker = FakeConnector(scheduler)
  }

  private func link(
    subscription: String? = nil, backoff: Backoff = Backoff(from: .seconds(8), to: .seconds(120)), isGoodOnceConnected: Bool = true
  ) -> BrokerLink {
    let link = BrokerLink(
      scheduler, broker, to: Broker(host: "broker", port: 1883, client: "c"), will: nil, subscription: subscription, backoff: backoff,
      isGoodOnceConnected: isGoodOnceConnected)
    link.connect()
    return link
  }

  /// Lets the last connection begin, and returns it.
  @discardableResult
  private func connect() throws -> FakeConnector.Connection {
    let connection = try broker.connection
    connection.step(.connected)
    return connection
  }

  // MARK: Silence

  @Test func `a message without an acknowledgement ends the connection after a minute`() throws {
    let link = link()
    var troubles: [BrokerError] = []
    link.onTrouble = { troubles.append($0) }
    let connection = try connect()
    scheduler.advance(by: .seconds(3600))
    #expect(troubles.isEmpty, "without messages that wait, silence is normal")
    _ = link.publish([1], to: "t")
    scheduler.advance(by: .seconds(30))
    _ = link.publish([2], to: "t")
    scheduler.advance(by: .seconds(29))
    #expect(troubles.isEmpty)
    scheduler.advance(by: .seconds(1))
    #expect(troubles.map(\.kind) == [.silent])
    #expect(troubles.first?.description == "the broker has not acknowledged a message for 60 s")
    #expect(link.publish([3], to: "t") == nil)
    connection.step(.connected)
    #expect(link.publish([3], to: "t") == nil, "the former connection was used")
    scheduler.advance(by: .seconds(10))
    #expect(broker.connections.map(\.attempt) == [0, 1])
  }

  @Test func `a broker that acknowledges the last message may be silent`() throws {
    let link = link()
    var acknowledged: [Int32] = []
    link.onAcknowledged = { acknowledged.append($0) }
    let connection = try connect()
    _ = link.publish([1], to: "t")
    scheduler.advance(by: .seconds(59))
    connection.step(.acknowledged(1))
    connection.step(.acknowledged(1))
    scheduler.advance(by: .seconds(3600))
    #expect(acknowledged == [1])
    #expect(broker.connections.count == 1)
  }

  @Test func `a message that the broker forgets ends the connection after five minutes, although others are acknowledged`() throws {
    let link = link()
    let connection = try connect()
    _ = link.publish([0], to: "t")
    for number in Int32(2)...30 {
      scheduler.advance(by: .seconds(10))
      _ = link.publish([1], to: "t")
      connection.step(.acknowledged(number))
    }
    scheduler.advance(by: .seconds(9))
    #expect(link.publish([2], to: "t") == 31)
    scheduler.advance(by: .seconds(1))
    #expect(link.publish([3], to: "t") == nil)
  }

  @Test func `the messages of a lost connection are not missed on the next one`() throws {
    let link = link()
    try connect()
    _ = link.publish([1], to: "t")
    try broker.connection.step(.ended(BrokerError("lost")))
    scheduler.advance(by: .seconds(10))
    try connect()
    scheduler.advance(by: .seconds(3600))
    #expect(broker.connections.count == 2)
  }

  // MARK: Pauses

  @Test func `the pauses grow while connections end without an acknowledgement, if a connection alone is not good`() throws {
    let link = link(isGoodOnceConnected: false)
    for _ in 1...3 {
      let connection = try connect()
      _ = link.publish([1], to: "t")
      connection.step(.ended(BrokerError("cut")))
      scheduler.advance(by: .seconds(50))
    }
    #expect(broker.connections.map(\.attempt) == [0, 1, 2, 3])
    let connection = try connect()
    _ = link.publish([1], to: "t")
    connection.step(.acknowledged(1))
    connection.step(.ended(BrokerError("lost")))
    // The shortest pause with a quarter more.
    scheduler.advance(by: .seconds(10))
    #expect(broker.connections.last?.attempt == 1)
  }

  @Test func `a connection ends the growth of the pauses, unless told otherwise`() throws {
    let link = link()
    for _ in 1...3 {
      try connect().step(.ended(BrokerError("cut")))
      scheduler.advance(by: .seconds(10))
    }
    #expect(broker.connections.map(\.attempt) == [0, 1, 1, 1])
    withExtendedLifetime(link) {}
  }

  @Test func `a hurry ends a long pause, and leaves a short one`() throws {
    let link = link()
    try broker.connection.step(.ended(BrokerError("refused")))
    link.hurry()
    scheduler.settle()
    #expect(broker.connections.count == 2)
    link.hurry()
    scheduler.settle()
    #expect(broker.connections.count == 2, "an attempt is under way")
    try broker.connection.step(.ended(BrokerError("refused")))
    scheduler.advance(by: scheduler.nextDue - scheduler.now - .milliseconds(900))
    link.hurry()
    scheduler.settle()
    #expect(broker.connections.count == 2)
  }

  // MARK: Ends

  @Test func `a failed call ends the connection once, although the connection reports its end too`() throws {
    let link = link()
    var troubles: [String] = []
    link.onTrouble = { troubles.append($0.description) }
    let connection = try connect()
    connection.failure = BrokerError("broken pipe")
    #expect(link.publish([1], to: "t") == nil)
    #expect(troubles.isEmpty, "the caller would hear of it inside its call")
    connection.step(.ended(BrokerError("reset")))
    scheduler.settle()
    #expect(troubles == ["reset"])
    scheduler.advance(by: .seconds(10))
    #expect(broker.connections.count == 2)
  }

  @Test func `each connection subscribes, and a request repeats it`() throws {
    let link = link(subscription: "hub")
    var answers: [Bool] = []
    link.onSubscribed = { answers.append($0) }
    link.subscribe()
    #expect(try connect().subscriptions == ["hub"])
    link.subscribe()
    try broker.connection.step(.subscribed(isAccepted: false))
    #expect(answers == [false])
    try broker.connection.step(.ended(BrokerError("lost")))
    scheduler.advance(by: .seconds(10))
    try connect()
    #expect(broker.connections.map(\.subscriptions) == [["hub", "hub"], ["hub"]])
  }
}
