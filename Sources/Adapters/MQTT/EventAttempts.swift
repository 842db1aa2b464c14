import DeliveryScheduling
import EventLoop
import Instants
import Publishing

/// The attempts to deliver events, one event after the other, to a broker that may acknowledge them late.
///
/// An event is sent once on a connection. The next attempt waits for the acknowledgement of a slow broker, and does not send the event
/// again.
final class EventAttempts<Message> {
  private let loop: Loop
  private let patience: Span
  /// The event under way, by the id that it has in every outbox and attempt, and its message until it was sent.
  private var current: (event: String?, message: Message?, completion: (DeliveryOutcome) -> Void)?
  /// The last event that was sent on this connection, and whether the broker has it; nil for a test.
  private var last: (event: String?, sending: Int, isAcknowledged: Bool)?
  /// The number of events that were sent, which distinguishes their acknowledgements.
  private var sendings = 0
  private var limit: Timer?

  /// - Parameters:
  ///   - patience: the time limit for one attempt, including the connection.
  ///   - trouble: returns the reason for which there is no connection.
  init(_ loop: Loop, patience: Span, trouble: @escaping () -> String?) {
    (self.loop, self.patience) = (loop, patience)
    limit = loop.timer { [unowned self] in finish(.failed(trouble() ?? "the broker does not respond")) }
  }

  /// Begins an attempt.
  func begin(_ delivery: Delivery, _ message: Message, completion: @escaping (DeliveryOutcome) -> Void) {
    let event = delivery.isTest ? nil : delivery.message
    let isSent = event != nil && last?.event == event
    if isSent, last?.isAcknowledged == true { return loop.enqueue { completion(.delivered) } }
    current = (event, isSent ? nil : message, completion)
    limit?.arm(after: patience)
  }

  /// Returns the message that has to be sent now, and the number for `acknowledged`; nil if there is none.
  func next() -> (message: Message, sending: Int)? {
    guard let (event, waiting, _) = current, let message = waiting else { return nil }
    current?.message = nil
    sendings += 1
    last = (event, sendings, false)
    return (message, sendings)
  }

  func acknowledged(_ sending: Int) {
    guard last?.sending == sending else { return }
    last?.isAcknowledged = true
    // Another event may wait to be sent.
    if current?.message == nil { finish(.delivered) }
  }

  /// Ends the attempt, because the connection is lost.
  func lost(_ reason: String) {
    last = nil
    finish(.failed(reason))
  }

  private func finish(_ outcome: DeliveryOutcome) {
    limit?.disarm()
    guard let completion = current?.completion else { return }
    current = nil
    completion(outcome)
  }
}
