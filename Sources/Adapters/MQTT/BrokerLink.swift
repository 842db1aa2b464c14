import EventLoop
import Instants
import Publishing

/// A connection to a broker, which is established again after each loss, with the next address of the host.
final class BrokerLink {
  private let loop: Loop
  private let broker: Broker
  private let will: Publication?
  /// The topic of the messages for this client; nil for none.
  private let subscription: String?
  private var library: MosquittoLibrary?
  private var lookUp: HostAddresses?
  private var session: BrokerSession?
  private var isConnected = false
  private var backoff: Backoff
  /// Whether a connection ends the growth of the pauses; otherwise `confirm` does.
  private let isGoodOnceConnected: Bool
  private var timer: Timer?
  /// The messages without an acknowledgement, and their times.
  private var unacknowledged: [(number: Int32, time: Instant)] = []
  private let longestSilence: Span
  /// Runs while messages wait for their acknowledgement.
  private var silence: Timer?
  /// Whether the last connection ended because the broker did not acknowledge a message.
  private(set) var isStalled = false

  var onConnected: () -> Void = {}
  var onAcknowledged: (Int32) -> Void = { _ in }
  /// Receives whether the broker has accepted the subscription, after each connection and each `subscribe`.
  var onSubscribed: (Bool) -> Void = { _ in }
  /// Receives the octets of a message of the subscribed topic.
  var onMessage: ([UInt8]) -> Void = { _ in }
  /// Receives the error of a lost connection or a failed attempt; the next attempt follows automatically.
  var onTrouble: (BrokerError) -> Void = { _ in }

  init(
    _ loop: Loop, to broker: Broker, will: Publication?, subscription: String? = nil,
    backoff: Backoff = Backoff(from: BrokerLink.shortestPause, to: .seconds(60), jitter: .half), isGoodOnceConnected: Bool = true,
    longestSilence: Span
  ) {
    self.loop = loop
    self.longestSilence = longestSilence
    self.backoff = backoff
    self.isGoodOnceConnected = isGoodOnceConnected
    self.broker = broker
    self.will = will
    self.subscription = subscription
    timer = loop.timer { [unowned self] in begin() }
    silence = loop.timer { [unowned self] in
      isStalled = true
      end(BrokerError("the broker has not acknowledged a message for \(longestSilence.microseconds / 1_000_000) s"))
    }
  }

  func connect() {
    timer?.arm(after: .zero)
  }

  /// Ends a pause, and connects at once.
  func hurry() {
    if let due = timer?.due, due > loop.now + Self.shortestPause { timer?.arm(after: .zero) }
  }

  /// Ends the growth of the pauses, because the broker takes messages.
  func confirm() { backoff.reset() }

  /// Publishes a message, and returns the number of its acknowledgement; `nil` without a connection.
  func publish(_ publication: Publication) -> Int32? {
    publish(Array(publication.payload.utf8), to: publication.topic, isRetained: publication.isRetained)
  }

  /// Publishes octets, and returns the number of their acknowledgement; `nil` without a connection.
  func publish(_ payload: [UInt8], to topic: String, isRetained: Bool = false) -> Int32? {
    guard isConnected, let session else { return nil }
    do throws(BrokerError) {
      let number = try session.publish(payload, to: topic, isRetained: isRetained)
      if unacknowledged.isEmpty { silence?.arm(after: longestSilence) }
      unacknowledged.append((number, loop.now))
      return number
    } catch {
      let reason = error
      loop.enqueue { [weak self] in self?.end(reason) }
      isConnected = false
      return nil
    }
  }

  static let shortestPause = Span.seconds(1)

  private func acknowledged(_ number: Int32) {
    guard let index = unacknowledged.firstIndex(where: { $0.number == number }) else { return }
    unacknowledged.remove(at: index)
    // A single message that the broker has forgotten would hold up the events.
    let end = unacknowledged.first.map { $0.time + longestSilence * BrokerPatience.mostSilences } ?? .never
    if unacknowledged.isEmpty { silence?.disarm() } else { silence?.arm(after: min(longestSilence, max(.zero, end - loop.now))) }
    onAcknowledged(number)
  }

  private func begin() {
    lookUp = HostAddresses(of: broker.host, loop) { [unowned self] in found($0.mapError { BrokerError($0.description) }) }
  }

  private func found(_ result: Result<[String], BrokerError>) {
    do throws(BrokerError) {
      let addresses = try result.get()
      let session = try BrokerSession(loop, loadedLibrary(), to: broker, at: addresses[backoff.failures % addresses.count], will: will)
      session.onConnected = { [unowned self] in
        (isConnected, isStalled) = (true, false)
        if isGoodOnceConnected { backoff.reset() }
        subscribe()
        onConnected()
      }
      session.onSubscribed = { [unowned self] in onSubscribed($0) }
      session.onMessage = { [unowned self] in onMessage($0) }
      session.onAcknowledged = { [unowned self] in acknowledged($0) }
      session.onEnd = { [unowned self] in end($0) }
      self.session = session
    } catch {
      end(error)
    }
  }

  /// Subscribes on the present connection. Each connection begins with this.
  func subscribe() {
    guard isConnected, let subscription, let session else { return }
    do throws(BrokerError) { try session.subscribe(to: subscription) } catch {
      let reason = error
      loop.enqueue { [weak self] in self?.end(reason) }
      isConnected = false
    }
  }

  private func loadedLibrary() throws(BrokerError) -> MosquittoLibrary {
    if let library { return library }
    let loaded = try MosquittoLibrary()
    library = loaded
    return loaded
  }

  /// Ends the connection for a reason, as if it were lost. The next attempt follows automatically.
  func end(_ reason: BrokerError) {
    isConnected = false
    unacknowledged = []
    silence?.disarm()
    // Released later, because the callback of the session still uses it.
    let over = (session, lookUp)
    session = nil
    lookUp = nil
    loop.enqueue { _ = over }
    timer?.arm(after: &backoff)
    onTrouble(reason)
  }
}

/// The times that a broker has for its acknowledgements.
public enum BrokerPatience {
  /// The time limit for one attempt to deliver an event, including the connection.
  public static let attempt = Span.seconds(15)
  /// The time without an acknowledgement after which another connection is tried, to the next address of the broker.
  ///
  /// A node that is cut off from the other ones of its cluster answers pings but acknowledges nothing.
  public static let silence = Span.seconds(60)
  /// The longest wait for a message while others are acknowledged, as a multiple of the longest silence.
  static let mostSilences = 5.0
}

/// An error of a connection to a broker, in one line without secrets.
public struct BrokerError: Error, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
