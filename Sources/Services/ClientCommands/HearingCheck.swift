import Instants
import Scheduling
import Status

/// Checks whether the daemon can receive beacons at all, for a command that would otherwise only report that none is near.
///
/// A user who may not read the daemon's status gets no result.
public final class HearingCheck {
  /// The time that a daemon that has just started may need to find its adapters.
  static let grace = Span.seconds(3)
  static let interval = Span.milliseconds(300)

  /// Asks the daemon for the present obstacle.
  public typealias Question = (_ answer: @escaping (HearingObstacle?) -> Void) -> Void

  private let scheduler: any Scheduler
  private var ask: Question?
  private var deadline = Instant.never
  private var onAnswer: (String?) -> Void = { _ in }
  private var timer: (any SchedulerTimer)?

  public init(_ scheduler: any Scheduler) {
    self.scheduler = scheduler
    timer = scheduler.timer { [unowned self] in look() }
  }

  /// Calls `onAnswer` once, with the obstacle that keeps the daemon from receiving, or with nil if there is none.
  public func begin(_ ask: @escaping Question, onAnswer: @escaping (String?) -> Void) {
    self.ask = ask
    self.onAnswer = onAnswer
    deadline = scheduler.now + Self.grace
    look()
  }

  /// Checks again at once; `onAnswer` of `begin` is not called any more.
  public func again(onAnswer: @escaping (String?) -> Void) {
    timer?.arm(at: .never)
    self.onAnswer = onAnswer
    deadline = scheduler.now
    look()
  }

  private func look() {
    ask? { [weak self] obstacle in
      guard let self else { return }
      guard let obstacle else { return onAnswer(nil) }
      if obstacle.isExplained || scheduler.now >= deadline {
        onAnswer(obstacle.text)
      } else {
        timer?.arm(at: scheduler.now + Self.interval)
      }
    }
  }
}
