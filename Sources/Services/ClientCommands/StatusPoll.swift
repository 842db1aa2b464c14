import Instants
import Scheduling

/// Decides when a screen requests the state of the regions.
///
/// Requests follow soon after events, and periodically because not every change is an event. One request is under way at a time.
public final class StatusPoll {
  /// Sends a request, whose answer is reported with its number.
  public var onRequest: (_ number: Int) -> Void = { _ in }

  private let scheduler: any Scheduler
  private let interval: Span
  /// The number of the latest request.
  private var number = 0
  private var isPending = false
  /// Whether events came after the pending request, whose answer may not contain them.
  private var isOutdated = false
  private var timer: (any SchedulerTimer)?

  /// The time after an event in which further events are collected.
  static let eventPause = Span.milliseconds(100)

  /// - Parameter interval: the time from an answer to the next request.
  public init(_ scheduler: any Scheduler, every interval: Span) {
    (self.scheduler, self.interval) = (scheduler, interval)
    timer = scheduler.timer { [unowned self] in request() }
  }

  /// Call after events.
  public func noteEvents() {
    guard !isPending else {
      isOutdated = true
      return
    }
    // Events that follow each other faster do not postpone the request.
    let due = scheduler.now + Self.eventPause
    if timer?.due.map({ $0 > due }) ?? true { timer?.arm(at: due) }
  }

  /// Call with the answer to a request; returns whether it is the latest one, so that its answer counts.
  public func noteAnswer(to number: Int) -> Bool {
    guard isPending, number == self.number else { return false }
    isPending = false
    timer?.arm(at: scheduler.now + (isOutdated ? Self.eventPause : interval))
    return true
  }

  /// Call when the daemon has gone, or when one is back. Answers of an earlier daemon do not count.
  public func noteAvailability(_ isAvailable: Bool) {
    isPending = false
    number += 1
    if isAvailable { request() } else { timer?.arm(at: .never) }
  }

  private func request() {
    timer?.arm(at: .never)
    number += 1
    (isPending, isOutdated) = (true, false)
    onRequest(number)
  }
}
