import EventLoop
import Instants

/// When a follower asks again after the daemon did not answer as it should: after a second, then later each time up to a minute.
final class FollowerRetry {
  private var backoff = Backoff(from: .seconds(1), to: .seconds(60))
  private let timer: Timer
  /// Whether nothing was answered since it failed first.
  private(set) var isInTrouble = false

  init(_ loop: Loop, _ ask: @escaping () -> Void) {
    timer = loop.timer(ask)
  }

  func failed() {
    isInTrouble = true
    var random = SystemRandomNumberGenerator()
    timer.arm(after: backoff.next(using: &random))
  }

  /// Another question is on its way, or nobody is there to be asked.
  func disarm() { timer.disarm() }

  /// All is well again.
  func reset() {
    isInTrouble = false
    timer.disarm()
    backoff.reset()
  }
}
