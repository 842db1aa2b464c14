import BrokerPublishing
import DeliveryScheduling
import Events
import Instants
import Publishing
import Records
import TestSupport
import Testing

@Suite struct MQTTTargetTests {
  let scheduler = ManualScheduler()
  let broker: FakeConnector
  let lines = LogLines()
  let topics = TopicTree(base: "b")

  init() {
    broker = FakeConnector(scheduler)
  }

  private func target(_ announcements: @escaping () -> Announcement = { .none }) -> MQTTTarget {
    let identity = MQTTTarget.Identity(
      Broker(host: "broker", port: 1883, client: "c"), topics, nil,
      formerPlace: DiscoveryPlace(prefix: "homeassistant", base: topics.base, device: "d"))
    return MQTTTarget("home", scheduler, broker, identity, log: lines.logger, announcements: announcements)
  }

  private func connect() throws -> FakeConnector.Connection {
    let connection = try broker.connection
    connection.step(.connected)
    return connection
  }

  private func acknowledge(_ connection: FakeConnector.Connection, _ numbers: ClosedRange<Int32>) {
    for number in numbers { connection.step(.acknowledged(number)) }
  }

  private func publications(_ count: Int, _ text: String = "n") -> [Publication] {
    (1...count).map { Publication("t", "\(text)\($0)", isRetained: false) }
  }

  @Test func `at most 32 messages wait for an acknowledgement`() throws {
    let target = target()
    let connection = try connect()
    target.publish(publications(40))
    #expect(connection.published.count == 32)
    acknowledge(connection, 1...3)
    #expect(connection.published.count == 35)
  }

  @Test func `a slow broker gets the announcement instead of too many states`() throws {
    var count = 0
    let target = target {
      count += 1
      return Announcement(AnySequence([Publication("a", "present", isRetained: true)]))
    }
    let connection = try connect()
    target.publish(publications(1000))
    #expect(count == 1)
    #expect(!target.report(publications(1)), "readings are dropped first")
    target.publish(publications(100, "late"))
    #expect(count == 2)
    for number in Int32(1)...40 { connection.step(.acknowledged(number)) }
    #expect(Array(connection.texts.suffix(2)) == ["present", "offline"])
  }

  @Test func `the topics of removed entities are cleared five seconds after the acknowledgement of the announcement`() throws {
    var hasCleared = false
    let target = target {
      Announcement(
        AnySequence([Publication("homeassistant/x/config", "", isRetained: true)]),
        clearings: [Publication("b/x", "", isRetained: true)], onCleared: { hasCleared = true })
    }
    let connection = try connect()
    scheduler.advance(by: .seconds(30))
    #expect(connection.published.count == 2, "the broker has not acknowledged the announcement")
    acknowledge(connection, 1...2)
    scheduler.advance(by: .milliseconds(4999))
    #expect(connection.published.count == 2)
    scheduler.advance(by: .milliseconds(1))
    #expect(connection.published.last?.topic == "b/x")
    #expect(!hasCleared)
    connection.step(.acknowledged(3))
    #expect(hasCleared)
    withExtendedLifetime(target) {}
  }

  @Test func `a broker that forgets an event loses its connection, and gets the event again`() throws {
    let target = target()
    let connection = try connect()
    connection.step(.acknowledged(1))
    var outcomes: [DeliveryOutcome] = []
    let delivery = Delivery(id: 1, message: "m", event: Event.of([:]), json: "{\"n\":1}")
    target.deliver(delivery) { outcomes.append($0) }
    scheduler.advance(by: .seconds(15))
    #expect(outcomes == [.failed("the broker does not respond")])
    scheduler.advance(by: .seconds(45))
    #expect(lines.all.last == "home: not connected: the broker has not acknowledged a message for 60 s; retrying")
    // The attempt ends the pause.
    target.deliver(delivery) { outcomes.append($0) }
    scheduler.advance(by: .seconds(1))
    let next = try connect()
    #expect(next !== connection)
    #expect(next.texts == ["offline", "{\"n\":1}"])
    acknowledge(next, 1...2)
    #expect(outcomes.last == .delivered)
  }

  @Test func `an event waits for the connection, and a lost one fails it with the reason`() throws {
    let target = target()
    var outcomes: [DeliveryOutcome] = []
    target.deliver(Delivery(id: 1, message: "m", event: Event.of([:]), json: "{}")) { outcomes.append($0) }
    let connection = try connect()
    #expect(connection.texts == ["offline", "{}"])
    connection.step(.ended(BrokerError("cut")))
    #expect(outcomes == [.failed("cut")])
  }
}
