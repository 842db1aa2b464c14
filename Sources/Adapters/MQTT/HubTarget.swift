import DeliveryScheduling
import EventLoop
import Events
import FleetMessages
import FleetReporting
import Instants
import Logging
import Publishing

/// Publishes events, digests and reports of a device for the hub of a fleet, and receives the messages of the hub.
///
/// The messages have quality of service 1. RabbitMQ answers a publish that it does not permit by ending the connection, so a connection
/// counts as good only after the first acknowledgement.
public final class HubTarget: FleetTarget {
  /// The time limit for one attempt to deliver an event, including the connection.
  public static let patience = Span.seconds(15)
  /// The time without an acknowledgement after which another connection is tried, to the next address of the broker.
  ///
  /// A node that is cut off from the other ones of its cluster answers pings but acknowledges nothing.
  public static let longestSilence = Span.seconds(60)
  /// The longest wait for a message while others are acknowledged, as a multiple of the longest silence.
  private static let mostSilences = 5.0
  /// The number of consecutive connections that end after a publish before the broker seems to refuse the topic.
  private static let mostCuts = 2

  /// The settings of a target. A target with the same ones can take its place.
  public struct Identity: Hashable {
    public let broker: Broker
    public let address: FleetAddress

    /// - Parameter broker: its client id is not used.
    public init(_ broker: Broker, _ address: FleetAddress) {
      (self.broker, self.address) = (broker, address)
    }
  }

  public let identity: Identity
  public var onConnectionChange: () -> Void = {}
  public var onReturn: () -> Void = {}
  public var onMessage: (HubMessage) -> Void = { _ in }
  public private(set) var isConnected = false
  public var trouble: String? { isConnected ? refusal : loss }
  private let name: String
  private let version: String
  private let loop: Loop
  private let link: BrokerLink
  private let log: Logger
  /// The reason for which there is no connection; nil while there is one.
  private var loss: String?
  /// The reason for which the broker brings no messages of the hub on this connection; nil while it does.
  private var refusal: String?
  /// The mean time before a refused subscription is repeated.
  private let subscriptionPause: Span
  private let longestSilence: Span
  private let patience: Span
  private var subscriptionTimer: Timer?
  /// The messages without an acknowledgement, by its number.
  private var unacknowledged: [(number: Int32, time: Instant, completion: (Bool) -> Void)] = []
  /// The event under way, by the id that it has in every outbox and attempt, and its message until it was sent.
  private var current: (event: String?, message: [UInt8]?, completion: (DeliveryOutcome) -> Void)?
  /// The last event that was sent on this connection, and whether the broker has it; nil for a test.
  ///
  /// The next attempt waits for the acknowledgement of a slow broker, and does not send the event again.
  private var lastEvent: (event: String?, sending: Int, isAcknowledged: Bool)?
  /// The number of events that were sent, which distinguishes their acknowledgements.
  private var sendings = 0
  private var limit: Timer?
  /// Runs while messages wait for their acknowledgement.
  private var silence: Timer?
  private var hasAcknowledgement = false
  /// Whether this connection is ended because of its silence.
  private var isStalled = false
  /// Whether this connection has had a message of the hub that cannot be read. Further ones are not logged.
  private var hasBadMessage = false
  /// The number of connections in a row without an acknowledgement of their messages.
  private var cuts = 0

  /// Connects at once, and reconnects after each loss with growing and random pauses.
  ///
  /// - Parameters:
  ///   - name: the name of the target in the log.
  ///   - version: the version of the program, for the report of a test.
  ///   - subscriptionPause: the mean time before a refused subscription is repeated; the administrator may have granted it meanwhile.
  ///   - longestSilence: the time without an acknowledgement after which another connection is tried.
  ///   - patience: the time limit for one attempt to deliver an event.
  public init(
    _ name: String, _ loop: Loop, _ identity: Identity, version: String, subscriptionPause: Span = .seconds(300),
    longestSilence: Span = HubTarget.longestSilence, patience: Span = HubTarget.patience, log: Logger
  ) {
    (self.name, self.loop, self.identity, self.version, self.log) = (name, loop, identity, version, log)
    (self.subscriptionPause, self.longestSilence, self.patience) = (subscriptionPause, longestSilence, patience)
    var broker = identity.broker
    // A broker ends the connection of an earlier client with the same id. An id that no other device can guess prevents that.
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    broker.client = "\(identity.address.commonName).\(String(repeating: "0", count: 16 - digits.utf8.count))\(digits)"
    // All devices of a fleet lose a broker together, so they come back over half a minute.
    link = BrokerLink(
      loop, to: broker, will: nil, subscription: identity.address.commandTopic,
      backoff: Backoff(from: .seconds(8), to: .seconds(120), jitter: .full),
      isGoodOnceConnected: false)
    limit = loop.timer { [unowned self] in finish(.failed(loss ?? "the broker does not respond")) }
    subscriptionTimer = loop.timer { [unowned self] in link.subscribe() }
    silence = loop.timer { [unowned self] in
      isStalled = true
      link.end(BrokerError("the broker has not acknowledged a message for \(longestSilence.microseconds / 1_000_000) s"))
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
    do throws(UnsendableEvent) { message = try FleetMessage(delivery, version: version) } catch {
      return loop.enqueue { completion(.refused(error.reason)) }
    }
    let event = delivery.isTest ? nil : delivery.message
    let isSent = event != nil && lastEvent?.event == event
    if isSent, lastEvent?.isAcknowledged == true { return loop.enqueue { completion(.delivered) } }
    current = (event, isSent ? nil : message.octets, completion)
    limit?.arm(after: patience)
    if isConnected { sendCurrent() }
  }

  /// Ends every message on its way, in order.
  private func connected() {
    (isConnected, hasAcknowledgement, hasBadMessage, loss) = (true, false, false, nil)
    log.info("\(name): connected to \(identity.broker.host):\(identity.broker.port) as \(identity.address.commonName)")
    sendCurrent()
    onConnectionChange()
    onReturn()
  }

  private func acknowledged(_ number: Int32) {
    guard let index = unacknowledged.firstIndex(where: { $0.number == number }) else { return }
    if !hasAcknowledgement { link.confirm() }
    (hasAcknowledgement, cuts) = (true, 0)
    let completion = unacknowledged.remove(at: index).completion
    // A single message that the broker has forgotten would hold up the events.
    let end = unacknowledged.first.map { $0.time + longestSilence * Self.mostSilences } ?? .never
    if unacknowledged.isEmpty { silence?.disarm() } else { silence?.arm(after: min(longestSilence, max(.zero, end - loop.now))) }
    completion(true)
  }

  private func subscribed(_ isAccepted: Bool) {
    guard !isAccepted else {
      if refusal != nil { log.info("\(name): the broker accepts the topic \(identity.address.commandTopic) now") }
      refusal = nil
      return
    }
    let text =
      "the broker refuses the topic \(identity.address.commandTopic), so the hub cannot reach this device; run \"beaconmon-hub admin users\""
    if refusal == nil { log.warning("\(name): \(text)") }
    refusal = text
    // All devices of a fleet may have lost the permission together.
    subscriptionTimer?.arm(after: subscriptionPause * .random(in: 0.75...1.25))
  }

  private func received(_ octets: [UInt8]) {
    do throws(FleetMessageError) { onMessage(try HubMessage(octets)) } catch {
      if !hasBadMessage { log.warning("\(name): ignored a message of the hub: \(error)") }
      hasBadMessage = true
    }
  }

  private func lost(_ reason: BrokerError) {
    let wasCut = isConnected && !hasAcknowledgement && !unacknowledged.isEmpty && !isStalled
    isStalled = false
    if isConnected { cuts = wasCut ? cuts + 1 : 0 }
    let text = explanation(of: reason, wasCut: wasCut)
    if loss != text { log.warning("\(name): not connected: \(text); retrying") }
    (isConnected, loss, refusal, lastEvent) = (false, text, nil, nil)
    subscriptionTimer?.disarm()
    silence?.disarm()
    let lost = unacknowledged
    unacknowledged = []
    finish(.failed(text))
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
    // A broker that resets the connection takes its alert about the certificate back.
    if !isConnected, text.contains("unexpected eof") || text.contains("EPROTO") {
      return "the broker ended the connection before the login (\(text)); it may refuse the certificate of this device"
    }
    if text.contains("unexpected eof") { return "the broker has ended the connection" }
    if text.contains("certificate verify failed") {
      return "the certificate of the broker is not trusted (\(text)); check ca and url in [notifier.hub], and the clock"
    }
    if Self.alerts.contains(where: text.contains) {
      return "the broker refuses the certificate of this device (\(text)); enrol the device again, or correct certificate and key"
    }
    if text.contains("Connection Refused") {
      return "the broker refuses the name \(identity.address.commonName) (\(text)); enrol this device at the hub"
    }
    return text
  }

  /// The alerts of TLS about the certificate of the client, in the words of OpenSSL.
  private static let alerts = ["alert bad certificate", "alert certificate", "alert unknown ca", "alert unsupported certificate"]

  private func finish(_ outcome: DeliveryOutcome) {
    limit?.disarm()
    guard let completion = current?.completion else { return }
    current = nil
    completion(outcome)
  }
}

// MARK: Messages

extension HubTarget {
  private func sendCurrent() {
    guard let (event, message, _) = current, let octets = message else { return }
    current?.message = nil
    sendings += 1
    lastEvent = (event, sendings, false)
    send(octets) { [weak self, sendings] isAcknowledged in
      guard let self, isAcknowledged, lastEvent?.sending == sendings else { return }
      lastEvent?.isAcknowledged = true
      finish(.delivered)
    }
  }

  private func send(_ octets: [UInt8], _ completion: @escaping (Bool) -> Void) {
    guard let number = link.publish(octets, to: identity.address.topic) else {
      loop.enqueue { completion(false) }
      return
    }
    if unacknowledged.isEmpty { silence?.arm(after: longestSilence) }
    unacknowledged.append((number, loop.now, completion))
  }
}
