import EventLoop
import Failures
import Instants
import MonitorClient
import Terminal

/// Finds out whether the daemon can hear beacons at all, for a command whose result would otherwise look as if nothing were near.
///
/// A user who may not read the daemon's status is told nothing.
final class HearingCheck {
  /// How long a daemon that has just started may take to find its adapters.
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

  /// Calls `onAnswer` once, with what keeps the daemon from hearing, or with nil if nothing does.
  func begin(_ client: MonitorClient, onAnswer: @escaping (String?) -> Void) {
    self.client = client
    self.onAnswer = onAnswer
    deadline = loop.now + Self.patience
    look()
  }

  /// Asks again, without patience; `onAnswer` of `begin` is not called any more.
  func again(onAnswer: @escaping (String?) -> Void) {
    timer.disarm()
    self.onAnswer = onAnswer
    deadline = loop.now
    look()
  }

  private func look() {
    client?.status { [weak self] answer in
      guard let self else { return }
      guard case .success(let status) = answer,
        let obstacle = StatusText.hearingObstacle(manager: status.manager, adapters: status.adapters)
      else { return onAnswer(nil) }
      if obstacle.isExplained || loop.now >= deadline { onAnswer(obstacle.text) } else { timer.arm(after: Self.interval) }
    }
  }
}
