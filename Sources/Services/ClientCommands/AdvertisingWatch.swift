import Failures
import Instants
import Scheduling

/// Follows the beacon that a command advertises, from its first advertisement to the end of its duration.
public final class AdvertisingWatch {
  /// A state of the beacon.
  public enum State: Hashable, Sendable {
    case starting
    case advertising
    /// An obstacle prevents advertising for now.
    case waiting(Failure)
  }

  /// Receives an obstacle that is expected to go away.
  public var onWait: (Failure) -> Void = { _ in }
  /// Receives the end of the command, with the obstacle that the user must fix; nil after the duration.
  public var onEnd: (Failure?) -> Void = { _ in }

  private let scheduler: any Scheduler
  private let duration: Span?
  private var hasBegun = false
  private var timer: (any SchedulerTimer)?

  /// - Parameter duration: the time from the first advertisement to the end; nil for any.
  public init(_ scheduler: any Scheduler, duration: Span?) {
    (self.scheduler, self.duration) = (scheduler, duration)
    timer = scheduler.timer { [unowned self] in onEnd(nil) }
  }

  /// Call with the present state of the beacon at each change.
  public func note(_ state: State) {
    switch state {
    case .starting: break
    case .advertising:
      if !hasBegun, let duration { timer?.arm(at: scheduler.now + duration) }
      hasBegun = true
    case .waiting(let obstacle):
      // The user must fix an obstacle at the start; a later one is expected to go away.
      if hasBegun { onWait(obstacle) } else { onEnd(obstacle) }
    }
  }
}
