import DeliveryScheduling
import EventLoop
import Instants
import Logging
import Publishing

/// Publishes events and retained states of regions on a broker.
///
/// The target keeps the connection open, so that the broker can publish a will after its loss.
public final class MQTTTarget: StateTarget {
  /// The maximum number of publications that wait for an acknowledgement.
  private static let window = 32
  /// The time limit for one attempt, including the connection.
  private static let patience = Span.seconds(15)

  private let name: String
  private let topics: TopicTree
  private let link: BrokerLink
  private let log: Logger
  private let announcements: () -> AnySequence<Publication>
  private var isUp = false
  private var trouble: BrokerError?
  /// The remaining announcements, created one by one because there may be thousands.
  private var announcing: AnyIterator<Publication>?
  private var outgoing: ArraySlice<Publication> = []
  private var unacknowledged: Set<Int32> = []
  private var current: (publications: [Publication], completion: (DeliveryOutcome) -> Void)?
  private var limit: Timer?

  /// Connects at once, and reconnects after each loss.
  ///
  /// - Parameters:
  ///   - name: the name of the target in the log.
  ///   - isTest: whether retained messages stay as they are, so that there is neither a will nor an announcement.
  ///   - announcements: the messages that precede any event, sent with every connection because a broker may have lost its retained messages.
  public init(
    _ name: String, _ loop: Loop, to broker: Broker, topics: TopicTree, isTest: Bool = false, log: Logger,
    announcements: @escaping () -> AnySequence<Publication> = { AnySequence([]) }
  ) {
    self.name = name
    self.topics = topics
    self.log = log
    self.announcements = isTest ? { AnySequence([]) } : announcements
    link = BrokerLink(loop, to: broker, will: isTest ? nil : topics.status(isOnline: false))
    isMonitorThere = !isTest
    limit = loop.timer { [unowned self] in finish(.failed(trouble?.description ?? "the broker does not respond")) }
    link.onConnected = { [unowned self] in connected() }
    link.onAcknowledged = { [unowned self] in acknowledged($0) }
    link.onTrouble = { [unowned self] in lost($0) }
    link.connect()
  }

  /// Whether the daemon is running. Without it the states of regions are unknown, which is published.
  public var isMonitorThere: Bool {
    didSet { if isMonitorThere != oldValue, isUp { publish([topics.status(isOnline: isMonitorThere)]) } }
  }

  /// Sends changed announcements. Every new connection begins with them anyway.
  public func announce() {
    guard isUp else { return }
    announcing = announcements().makeIterator()
    pump()
  }

  public func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    let publications = topics.publications(for: delivery.event, json: delivery.json, isTest: delivery.isTest)
    current = (publications, completion)
    limit?.arm(after: Self.patience)
    if isUp { publish(publications) } else { link.hurry() }
  }

  private func publish(_ publications: [Publication]) {
    outgoing += publications
    pump()
  }

  private func pump() {
    while unacknowledged.count < Self.window, let next = announcing?.next() ?? outgoing.popFirst() {
      // If the connection was lost, this is reported soon, and everything starts again.
      guard let number = link.publish(next) else { return }
      unacknowledged.insert(number)
    }
    if outgoing.isEmpty, unacknowledged.isEmpty { finish(.delivered) }
  }

  private func connected() {
    isUp = true
    trouble = nil
    log.info("\(name): connected")
    announcing = announcements().makeIterator()
    publish((isMonitorThere ? [topics.status(isOnline: true)] : []) + (current?.publications ?? []))
  }

  private func acknowledged(_ number: Int32) {
    unacknowledged.remove(number)
    pump()
  }

  private func lost(_ reason: BrokerError) {
    if trouble == nil { log.warning("\(name): not connected: \(reason); retrying") }
    isUp = false
    trouble = reason
    announcing = nil
    outgoing = []
    unacknowledged = []
    finish(.failed(reason.description))
  }

  private func finish(_ outcome: DeliveryOutcome) {
    limit?.disarm()
    guard let completion = current?.completion else { return }
    current = nil
    completion(outcome)
  }
}
