import Instants
import Publishing
import Scheduling

/// A connection to a broker over time: it is established again after each loss, with the next address of the host.
///
/// A broker that does not acknowledge messages loses the connection, too. A node that is cut off from the other ones of its cluster answers
/// pings but acknowledges nothing.
public final class BrokerLink {
  /// The shortest pause before another attempt.
  public static let shortestPause = Span.seconds(1)
  /// The time without an acknowledgement after which another connection is tried, to the next address of the broker.
  static let longestSilence = Span.seconds(60)
  /// The longest wait for a message while others are acknowledged, as a multiple of the longest silence.
  static let mostSilences = 5.0

  private let scheduler: any Scheduler
  private let connector: any BrokerConnector
  private let broker: Broker
  private let will: Publication?
  /// The topic of the messages for this client; nil for none.
  private let subscription: String?
  private var connection: (any BrokerConnection)?
  private let steps = StaleAnswerFilter()
  private var isConnected = false
  private var backoff: Backoff
  /// Whether a connection ends the growth of the pauses; otherwise the first acknowledgement does.
  private let isGoodOnceConnected: Bool
  private var timer: (any SchedulerTimer)?
  /// The messages without an acknowledgement, and their times.
  private var unacknowledged: [(number: Int32, time: Instant)] = []
  /// The time of the last acknowledgement, or of the first message that waits for one.
  private var lastProgress: Instant
  /// Runs while messages wait for their acknowledgement.
  private var silence: (any SchedulerTimer)?

  public var onConnected: () -> Void = {}
  public var onAcknowledged: (Int32) -> Void = { _ in }
  /// Receives whether the broker has accepted the subscription, after each connection and each `subscribe`.
  public var onSubscribed: (Bool) -> Void = { _ in }
  /// Receives the octets of a message of the subscribed topic.
  public var onMessage: ([UInt8]) -> Void = { _ in }
  /// Receives the error of a lost connection or a failed attempt; the next attempt follows automatically.
  public var onTrouble: (BrokerError) -> Void = { _ in }

  public init(
    _ scheduler: any Scheduler, _ connector: any BrokerConnector, to broker: Broker, will: Publication?, subscription: String? = nil,
    backoff: Backoff = Backoff(from: BrokerLink.shortestPause, to: .seconds(60), jitter: .half), isGoodOnceConnected: Bool = true
  ) {
    (self.scheduler, self.connector, self.broker, self.will, self.subscription) = (scheduler, connector, broker, will, subscription)
    (self.backoff, self.isGoodOnceConnected, lastProgress) = (backoff, isGoodOnceConnected, scheduler.now)
    timer = scheduler.timer { [unowned self] in begin() }
    silence = scheduler.timer { [unowned self] in
      end(BrokerError("the broker has not acknowledged a message for \(Int(Self.longestSilence.seconds)) s", .silent))
    }
  }

  public func connect() { timer?.arm(at: scheduler.now) }

  /// Ends a pause, and connects at once.
  public func hurry() {
    if let due = timer?.due, due > scheduler.now + Self.shortestPause { connect() }
  }

  /// Publishes a message, and returns the number of its acknowledgement; `nil` without a connection.
  public func publish(_ payload: [UInt8], to topic: String, isRetained: Bool = false) -> Int32? {
    guard isConnected, let connection else { return nil }
    do throws(BrokerError) {
      let number = try connection.publish(payload, to: topic, isRetained: isRetained)
      if unacknowledged.isEmpty { lastProgress = scheduler.now }
      unacknowledged.append((number, scheduler.now))
      if unacknowledged.count == 1 { watch() }
      return number
    } catch {
      endSoon(error)
      return nil
    }
  }

  /// Subscribes on the present connection. Each connection begins with this.
  public func subscribe() {
    guard isConnected, let subscription, let connection else { return }
    do throws(BrokerError) { try connection.subscribe(to: subscription) } catch { endSoon(error) }
  }

  private func begin() {
    connection = connector.connect(
      to: broker, attempt: backoff.failures, will: will, steps.current { [unowned self] in take($0) })
  }

  private func take(_ step: BrokerStep) {
    switch step {
    case .connected:
      isConnected = true
      if isGoodOnceConnected { backoff.reset() }
      subscribe()
      onConnected()
    case .acknowledged(let number): acknowledged(number)
    case .subscribed(let isAccepted): onSubscribed(isAccepted)
    case .message(let octets): onMessage(octets)
    case .ended(let reason): end(reason)
    }
  }

  private func acknowledged(_ number: Int32) {
    guard let index = unacknowledged.firstIndex(where: { $0.number == number }) else { return }
    unacknowledged.remove(at: index)
    lastProgress = scheduler.now
    backoff.reset()
    watch()
    onAcknowledged(number)
  }

  /// Sets the time at which the connection ends unless the broker acknowledges a message.
  private func watch() {
    guard let oldest = unacknowledged.first else { return silence?.arm(at: .never) ?? () }
    // A single message that the broker has forgotten would hold up the events.
    silence?.arm(at: min(lastProgress + Self.longestSilence, oldest.time + Self.longestSilence * Self.mostSilences))
  }

  /// Ends the connection after the present call, because a call of it has failed.
  private func endSoon(_ reason: BrokerError) {
    isConnected = false
    let ending = steps.current { [unowned self] (reason: BrokerError) in end(reason) }
    scheduler.enqueue { ending(reason) }
  }

  /// Ends the connection. The next attempt follows automatically.
  private func end(_ reason: BrokerError) {
    steps.renew()
    isConnected = false
    unacknowledged = []
    watch()
    // Released later, because its callback still uses it.
    let over = connection
    connection = nil
    scheduler.enqueue { _ = over }
    var random = SystemRandomNumberGenerator()
    timer?.arm(at: scheduler.now + backoff.next(using: &random))
    onTrouble(reason)
  }
}
