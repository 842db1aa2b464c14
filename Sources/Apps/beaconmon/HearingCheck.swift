import EventLoop
import Failures
import Instants
import MonitorClient
import Records
import Status
import Terminal

/// Checks whether the daemon can receive beacons at all, for a command that would otherwise only find that none is near.
///
/// A user who may not read the daemon's status gets no result.
final class HearingCheck {
  /// The time that a daemon that has just started may need to find its adapters.
  private static let patience = Span.seconds(3)
  private static let interval = Span.milliseconds(300)

  private let loop: Loop
  private var client: MonitorClient?
  private var deadline = Instant.never
  private var onAnswer: (String?) -> Void = { _ in }
  private lazy var timer = loop.timer { [unowned self] in look() }

  init(_ loop: Loop) {
    self.loop = loop
  }

  /// Calls `onAnswer` once, with the obstacle that keeps the daemon from receiving, or with nil if there is none.
  func begin(_ client: MonitorClient, onAnswer: @escaping (String?) -> Void) {
    self.client = client
    self.onAnswer = onAnswer
    deadline = loop.now + Self.patience
    look()
  }

  /// Checks again at once; `onAnswer` of `begin` is not called any more.
  func again(onAnswer: @escaping (String?) -> Void) {
    timer.disarm()
    self.onAnswer = onAnswer
    deadline = loop.now
    look()
  }

  private func look() {
    client?.status { [weak self] answer in
      guard let self else { return }
      guard case .success(let record) = answer, let obstacle = StatusText.hearingObstacle(MonitorStatus(record)) else {
        return onAnswer(nil)
      }
      if obstacle.isExplained || loop.now >= deadline { onAnswer(obstacle.text) } else { timer.arm(after: Self.interval) }
    }
  }
}
