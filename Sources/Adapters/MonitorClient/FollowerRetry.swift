import EventLoop
import Instants

/// The retries of a follower after a failed answer: after 1 s at first, with a delay that grows to 60 s.
final class FollowerRetry {
  private var backoff = Backoff(from: .seconds(1), to: .seconds(60))
  private let timer: Timer
  /// True from the first failure until the next answer.
  private(set) var isInTrouble = false

  init(_ loop: Loop, _ ask: @escaping () -> Void) {
    timer = loop.timer(ask)
  }

  func failed() {
    isInTrouble = true
    var random = SystemRandomNumberGenerator()
    timer.arm(after: backoff.next(using: &random))
  }

  /// Stops the timer, because another request is pending or the daemon is gone.
  func disarm() { timer.disarm() }

  /// Resets the delay after a good answer.
  func reset() {
    isInTrouble = false
    timer.disarm()
    backoff.reset()
  }
}
