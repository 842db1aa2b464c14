import DeliveryScheduling
import Instants
import Scheduling

/// The attempts to deliver events, one event after the other, to a broker that may acknowledge them late.
///
/// An event is sent once on a connection. The next attempt waits for the acknowledgement of a slow broker, and does not send the event
/// again.
public final class EventAttempts<Message> {
  /// The time limit for one attempt, including the connection.
  static var patience: Span { .seconds(15) }

  private let scheduler: any Scheduler
  /// The event under way, by the id that it has in every outbox and attempt, and its message until it was sent.
  private var current: (event: String?, message: Message?, completion: (DeliveryOutcome) -> Void)?
  /// The last event that was sent on this connection, and whether the broker has it; nil for a test.
  private var last: (event: String?, sending: Int, isAcknowledged: Bool)?
  /// The number of events that were sent, which distinguishes their acknowledgements.
  private var sendings = 0
  private var limit: (any SchedulerTimer)?

  /// - Parameter trouble: returns the reason for which there is no connection.
  public init(_ scheduler: any Scheduler, trouble: @escaping () -> String?) {
    self.scheduler = scheduler
    limit = scheduler.timer { [unowned self] in finish(.failed(trouble() ?? "the broker does not respond")) }
  }

  /// Begins an attempt.
  public func begin(_ delivery: Delivery, _ message: Message, completion: @escaping (DeliveryOutcome) -> Void) {
    let event = delivery.isTest ? nil : delivery.message
    let isSent = event != nil && last?.event == event
    if isSent, last?.isAcknowledged == true { return scheduler.enqueue { completion(.delivered) } }
    current = (event, isSent ? nil : message, completion)
    limit?.arm(at: scheduler.now + Self.patience)
  }

  /// Returns the message that has to be sent now, and the number for `acknowledged`; nil if there is none.
  public func next() -> (message: Message, sending: Int)? {
    guard let (event, waiting, _) = current, let message = waiting else { return nil }
    current?.message = nil
    sendings += 1
    last = (event, sendings, false)
    return (message, sendings)
  }

  public func acknowledged(_ sending: Int) {
    guard last?.sending == sending else { return }
    last?.isAcknowledged = true
    // Another event may wait to be sent.
    if current?.message == nil { finish(.delivered) }
  }

  /// Ends the attempt, because the connection is lost.
  public func lost(_ reason: String) {
    last = nil
    finish(.failed(reason))
  }

  private func finish(_ outcome: DeliveryOutcome) {
    limit?.arm(at: .never)
    guard let completion = current?.completion else { return }
    current = nil
    completion(outcome)
  }
}
