import Deliveries
import EventLoop
import Instants
import Logging
import Publishing

/// Publishes each event on a broker, with the state of each region kept there, and holds the connection whose loss is the word that we are gone.
public final class MQTTTarget: DeliveryTarget {
  /// The most publications that wait for their acknowledgement at once.
  private static let window = 32
  /// For one attempt, connecting included.
  private static let patience = Span.seconds(15)

  private let name: String
  private let topics: TopicTree
  private let link: BrokerLink
  private let log: Logger
  private let announcements: () -> AnySequence<Publication>
  private var isUp = false
  private var trouble: BrokerError?
  /// What is left of the announcements: made one by one, for there may be thousands.
  private var announcing: AnyIterator<Publication>?
  private var outgoing: ArraySlice<Publication> = []
  private var unacknowledged: Set<Int32> = []
  private var current: (publications: [Publication], completion: (DeliveryOutcome) -> Void)?
  private var limit: Timer?

  /// Connects at once, and again whenever the connection is lost.
  ///
  /// - Parameters:
  ///   - name: what the log calls it.
  ///   - isTest: makes no difference to what the broker keeps: there is no will and nothing is announced.
  ///   - announcements: what has to be on the broker before any event. Sent with every new connection: a broker may have lost what it kept.
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
    limit = loop.timer { [unowned self] in finish(.failed(trouble?.description ?? "the broker does not answer")) }
    link.onConnected = { [unowned self] in connected() }
    link.onAcknowledged = { [unowned self] in acknowledged($0) }
    link.onTrouble = { [unowned self] in lost($0) }
    link.connect()
  }

  /// Whether the daemon is there, without which nobody knows what a region's state is: the broker is told.
  public var isMonitorThere: Bool {
    didSet { if isMonitorThere != oldValue, isUp { publish([topics.status(isOnline: isMonitorThere)]) } }
  }

  /// Sends the announcements again, which are others now. Without a connection the next one begins with them anyway.
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
      // Without a connection its loss is about to be reported, and everything begins anew.
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
    if trouble == nil { log.warning("\(name): not connected: \(reason)") }
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
