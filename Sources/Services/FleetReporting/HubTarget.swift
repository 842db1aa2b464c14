import BrokerPublishing
import DeliveryScheduling
import FleetMessages
import Instants
import Logging
import Numerals
import Publishing
import Scheduling

/// Publishes events, digests and reports of a device for the hub of a fleet, and receives the messages of the hub.
///
/// The messages have quality of service 1. RabbitMQ answers a publish that it does not permit by ending the connection, so a connection
/// counts as good only after the first acknowledgement.
public final class HubTarget: FleetTarget {
  /// The number of consecutive connections that end after a publish before the broker seems to refuse the topic.
  private static let mostCuts = 2
  /// The mean time before a subscription is repeated that the broker has refused or not answered.
  ///
  /// The administrator may have granted it meanwhile.
  static let subscriptionPause = Span.seconds(300)

  /// The settings of a target. A target with the same ones can take its place.
  public struct Identity: Hashable {
    public let broker: Broker
    public let address: FleetAddress

    /// - Parameter broker: its client id is not used.
    public init(_ broker: Broker, _ address: FleetAddress) {
      (self.broker, self.address) = (broker, address)
    }
  }

  private let identity: Identity
  public var onConnectionChange: () -> Void = {}
  public var onReturn: () -> Void = {}
  public var onMessage: (HubMessage) -> Void = { _ in }
  public private(set) var isConnected = false
  public var trouble: String? { isConnected ? refusal : loss }
  private let name: String
  private let version: String
  private let scheduler: any Scheduler
  private let link: BrokerLink
  private let log: Logger
  /// The reason for which there is no connection; nil while there is one.
  private var loss: String?
  /// The reason for which the broker brings no messages of the hub on this connection; nil while it does.
  private var refusal: String?
  private var subscriptionTimer: (any SchedulerTimer)?
  /// The messages without an acknowledgement, by its number.
  private var unacknowledged: [(number: Int32, completion: (Bool) -> Void)] = []
  private lazy var attempts = EventAttempts<[UInt8]>(scheduler) { [unowned self] in loss }
  private var hasAcknowledgement = false
  /// Whether this connection has had a message of the hub that cannot be read. Further ones are not logged.
  private var hasBadMessage = false
  /// The number of connections in a row without an acknowledgement of their messages.
  private var cuts = 0

  /// Connects at once, and reconnects after each loss with growing and random pauses.
  ///
  /// - Parameters:
  ///   - name: the name of the target in the log.
  ///   - version: the version of the program, for the report of a test.
  public init(
    _ name: String, _ scheduler: any Scheduler, _ connector: any BrokerConnector, _ identity: Identity, version: String, log: Logger
  ) {
    (self.name, self.scheduler, self.identity, self.version, self.log) = (name, scheduler, identity, version, log)
    var broker = identity.broker
    // A broker ends the connection of an earlier client with the same id. An id that no other device can guess prevents that.
    broker.client = "\(identity.address.commonName).\(Hexadecimal.digits(.random(in: .min ... .max)))"
    // All devices of a fleet lose a broker together, so they come back over half a minute.
    link = BrokerLink(
      scheduler, connector, to: broker, will: nil, subscription: identity.address.commandTopic,
      backoff: Backoff(from: .seconds(8), to: .seconds(120), jitter: .full), isGoodOnceConnected: false)
    subscriptionTimer = scheduler.timer { [unowned self] in
      repeatSubscriptionLater()
      link.subscribe()
    }
    link.onConnected = { [unowned self] in connected() }
    link.onAcknowledged = { [unowned self] in acknowledged($0) }
    link.onSubscribed = { [unowned self] in subscribed($0) }
    link.onMessage = { [unowned self] in received($0) }
    link.onTrouble = { [unowned self] in lost($0) }
    link.connect()
  }

  public func reconnect() { link.hurry() }

  public func publish(_ message: FleetMessage, completion: @escaping (Bool) -> Void) {
    send(message.octets, completion)
  }

  public func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    let message: FleetMessage
    do throws(UnsendableEvent) { message = try FleetMessage(delivery, version: version, at: scheduler.wallClock) } catch {
      return scheduler.enqueue { completion(.refused(error.reason)) }
    }
    attempts.begin(delivery, message.octets, completion: completion)
    if isConnected { sendCurrent() }
  }

  /// Ends every message on its way, in order.
  private func connected() {
    (isConnected, hasAcknowledgement, hasBadMessage, loss) = (true, false, false, nil)
    log.info("\(name): connected to \(identity.broker.host):\(identity.broker.port) as \(identity.address.commonName)")
    repeatSubscriptionLater()
    sendCurrent()
    onConnectionChange()
    onReturn()
  }

  private func acknowledged(_ number: Int32) {
    guard let index = unacknowledged.firstIndex(where: { $0.number == number }) else { return }
    (hasAcknowledgement, cuts) = (true, 0)
    unacknowledged.remove(at: index).completion(true)
  }

  private func subscribed(_ isAccepted: Bool) {
    guard !isAccepted else {
      if refusal != nil { log.info("\(name): the broker accepts the topic \(identity.address.commandTopic) now") }
      refusal = nil
      subscriptionTimer?.arm(at: .never)
      return
    }
    let text =
      "the broker refuses the topic \(identity.address.commandTopic), so the hub cannot reach this device; run \"beaconmon-hub admin users\""
    if refusal == nil { log.warning("\(name): \(text)") }
    refusal = text
    repeatSubscriptionLater()
  }

  private func repeatSubscriptionLater() {
    // All devices of a fleet may have lost the permission together.
    subscriptionTimer?.arm(at: scheduler.now + Self.subscriptionPause * .random(in: 0.75...1.25))
  }

  private func received(_ octets: [UInt8]) {
    do throws(FleetMessageError) { onMessage(try HubMessage(octets)) } catch {
      if !hasBadMessage { log.warning("\(name): ignored a message of the hub: \(error)") }
      hasBadMessage = true
    }
  }

  private func lost(_ reason: BrokerError) {
    let wasCut = isConnected && !hasAcknowledgement && !unacknowledged.isEmpty && reason.kind != .silent
    if isConnected { cuts = wasCut ? cuts + 1 : 0 }
    let text = explanation(of: reason, wasCut: wasCut)
    if loss != text { log.warning("\(name): not connected: \(text); retrying") }
    (isConnected, loss, refusal) = (false, text, nil)
    subscriptionTimer?.arm(at: .never)
    let lost = unacknowledged
    unacknowledged = []
    attempts.lost(text)
    for message in lost { message.completion(false) }
    onConnectionChange()
  }

  /// Returns the reason in the words of a person who can remedy it.
  private func explanation(of reason: BrokerError, wasCut: Bool) -> String {
    let text = reason.description
    if wasCut {
      guard cuts >= Self.mostCuts else { return "the connection ended before the broker had acknowledged a message: \(text)" }
      return "the broker ends each connection at the first message, so it may refuse the topic \(identity.address.topic); check that the "
        + "certificate is that of \(identity.address.commonName), and that the hub has enrolled this device"
    }
    switch reason.kind {
    // A broker that resets the connection takes its alert about the certificate back.
    case .closed where !isConnected, .reset where !isConnected:
      return "the broker ended the connection before the login (\(text)); it may refuse the certificate of this device"
    case .closed: return "the broker has ended the connection"
    case .untrustedBroker:
      return "the certificate of the broker is not trusted (\(text)); check ca and url in [notifier.hub], and the clock"
    case .refusedCertificate:
      return "the broker refuses the certificate of this device (\(text)); enrol the device again, or correct certificate and key"
    case .refusedLogin:
      return "the broker refuses the name \(identity.address.commonName) (\(text)); enrol this device at the hub"
    case .reset, .silent, .other: return text
    }
  }
}

// MARK: Messages

extension HubTarget {
  private func sendCurrent() {
    guard let (octets, sending) = attempts.next() else { return }
    send(octets) { [weak self] in if $0 { self?.attempts.acknowledged(sending) } }
  }

  private func send(_ octets: [UInt8], _ completion: @escaping (Bool) -> Void) {
    guard let number = link.publish(octets, to: identity.address.topic) else {
      scheduler.enqueue { completion(false) }
      return
    }
    unacknowledged.append((number, completion))
  }
}
