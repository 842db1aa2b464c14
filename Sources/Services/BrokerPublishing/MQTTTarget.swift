import DeliveryScheduling
import Instants
import Logging
import Publishing
import Scheduling

/// Publishes events and retained states of regions on a broker.
///
/// The target keeps the connection open, so that the broker can publish a will after its loss.
public final class MQTTTarget: StateTarget {
  /// The maximum number of publications that wait for an acknowledgement.
  private static let window = 32
  /// The time in which Home Assistant removes entities, before the topics of these are cleared.
  private static let removalTime = Span.seconds(5)
  /// The number of waiting messages above which the target drops readings.
  private static let mostBeforeReports = 64
  /// The number of waiting messages above which the announcements replace them.
  private static let mostWaiting = 1024

  /// The settings of a target. A target with the same ones can take its place.
  public struct Identity: Hashable {
    public let broker: Broker
    public let topics: TopicTree
    public let home: HomeAssistant?
    /// The place of the entities that an earlier version announced without recording the place.
    public let formerPlace: DiscoveryPlace

    public init(_ broker: Broker, _ topics: TopicTree, _ home: HomeAssistant?, formerPlace: DiscoveryPlace) {
      (self.broker, self.topics, self.home, self.formerPlace) = (broker, topics, home, formerPlace)
    }
  }

  /// A message on its way, and the work that its acknowledgement continues.
  private struct Outgoing {
    enum Part {
      case announcement
      case clearing
      case state
      /// An event, and its number among those that were sent.
      case delivery(Int)

      var isAnnouncement: Bool { if case .announcement = self { true } else { false } }
    }

    let publication: Publication
    let part: Part
  }

  private let identity: Identity
  public var topics: TopicTree { identity.topics }
  public var home: HomeAssistant? { identity.home }
  public var formerPlace: DiscoveryPlace { identity.formerPlace }
  private let name: String
  private let scheduler: any Scheduler
  private let link: BrokerLink
  private let log: Logger
  private let isTest: Bool
  private let announcements: () -> Announcement
  private var isUp = false
  private var trouble: BrokerError?
  private var announcement = Announcement.none
  /// The remaining messages of the announcement; nil after the last one.
  private var announcing: AnyIterator<Publication>?
  private var outgoing: ArraySlice<Outgoing> = []
  private var unacknowledged: [Int32: Outgoing.Part] = [:]
  private var attempts: EventAttempts<Publication>?
  private var clearingTimer: (any SchedulerTimer)?
  private var clearing = Clearing.done

  /// The progress of the clearings of the present announcement.
  private enum Clearing: Equatable {
    /// The announcement is on its way.
    case waiting
    /// Home Assistant removes the entities.
    case pausing
    /// The number of clearings without an acknowledgement.
    case sent(Int)
    case done
  }

  /// Connects at once, and reconnects after each loss.
  ///
  /// - Parameters:
  ///   - name: the name of the target in the log.
  ///   - isTest: whether retained messages stay as they are, so that there is neither a will nor an announcement.
  ///   - announcements: the messages that precede any other with every connection.
  public init(
    _ name: String, _ scheduler: any Scheduler, _ connector: any BrokerConnector, _ identity: Identity, isTest: Bool = false, log: Logger,
    announcements: @escaping () -> Announcement = { .none }
  ) {
    (self.name, self.scheduler, self.identity, self.log, self.isTest) = (name, scheduler, identity, log, isTest)
    self.announcements = isTest ? { .none } : announcements
    let will = isTest ? nil : identity.topics.status(isOnline: false)
    link = BrokerLink(scheduler, connector, to: identity.broker, will: will)
    attempts = EventAttempts(scheduler) { [unowned self] in trouble?.description }
    clearingTimer = scheduler.timer { [unowned self] in clear() }
    link.onConnected = { [unowned self] in connected() }
    link.onAcknowledged = { [unowned self] in acknowledged($0) }
    link.onTrouble = { [unowned self] in lost($0) }
    link.connect()
  }

  public var isCurrent = false {
    didSet { if isCurrent != oldValue, isUp, !isTest { publish([topics.status(isOnline: isCurrent)]) } }
  }

  public func reconnect() { link.hurry() }

  public func announce() {
    guard isUp else { return }
    beginAnnouncement()
    pump()
  }

  public func publish(_ publications: [Publication]) {
    guard isUp else { return }
    if outgoing.count + publications.count > Self.mostWaiting {
      // The announcements contain the present states, so a slow broker misses only those in between.
      beginAnnouncement()
    } else {
      outgoing += publications.map { Outgoing(publication: $0, part: .state) }
    }
    pump()
  }

  public func report(_ publications: [Publication]) -> Bool {
    guard isUp, outgoing.count + publications.count <= Self.mostBeforeReports else { return false }
    publish(publications)
    return true
  }

  public func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    attempts?.begin(delivery, topics.history(json: delivery.json), completion: completion)
    if isUp { pump() } else { link.hurry() }
  }

  private func pump() {
    while unacknowledged.count < Self.window, let next = next() {
      // If the connection was lost, this is reported soon, and everything starts again.
      let message = next.publication
      guard let number = link.publish(Array(message.payload.utf8), to: message.topic, isRetained: message.isRetained) else { return }
      unacknowledged[number] = next.part
    }
    let isAnnounced = announcing == nil && !unacknowledged.values.contains(where: \.isAnnouncement)
    if isAnnounced, clearing == .waiting {
      clearing = .pausing
      clearingTimer?.arm(at: scheduler.now + Self.removalTime)
    }
  }

  private func next() -> Outgoing? {
    if let publication = announcing?.next() { return Outgoing(publication: publication, part: .announcement) }
    announcing = nil
    if let waiting = outgoing.popFirst() { return waiting }
    return attempts?.next().map { Outgoing(publication: $0.message, part: .delivery($0.sending)) }
  }

  private func beginAnnouncement() {
    announcement = announcements()
    announcing = announcement.messages.makeIterator()
    clearingTimer?.arm(at: .never)
    clearing = announcement.isRemoving ? .waiting : .done
    // The announcement has later states than the waiting messages, and clearings of an earlier one would end after their entities
    // have returned.
    outgoing = []
    // The present state follows in any case, because the broker may have another one.
    if !isTest { outgoing.append(Outgoing(publication: topics.status(isOnline: isCurrent), part: .state)) }
  }

  /// Clears the topics of removed entities.
  private func clear() {
    guard isUp else { return }
    guard !announcement.clearings.isEmpty else { return cleared() }
    clearing = .sent(announcement.clearings.count)
    outgoing += announcement.clearings.map { Outgoing(publication: $0, part: .clearing) }
    pump()
  }

  private func cleared() {
    clearing = .done
    announcement.onCleared()
  }

  private func connected() {
    isUp = true
    trouble = nil
    log.info("\(name): connected")
    beginAnnouncement()
    pump()
  }

  private func acknowledged(_ number: Int32) {
    switch unacknowledged.removeValue(forKey: number) {
    case .delivery(let sending): attempts?.acknowledged(sending)
    case .clearing:
      guard case .sent(let count) = clearing else { break }
      if count == 1 { cleared() } else { clearing = .sent(count - 1) }
    case .announcement, .state, nil: break
    }
    pump()
  }

  private func lost(_ reason: BrokerError) {
    if trouble == nil { log.warning("\(name): not connected: \(reason); retrying") }
    isUp = false
    trouble = reason
    announcing = nil
    outgoing = []
    unacknowledged = [:]
    clearingTimer?.arm(at: .never)
    attempts?.lost(reason.description)
  }
}
