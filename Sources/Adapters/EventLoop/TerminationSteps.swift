import Glibc
import Instants

/// The signals to a child's process group: SIGTERM at the timeout or on request, and SIGKILL after the grace.
struct TerminationSteps {
  private enum Step {
    case running, terminating, killed
  }

  private let grace: Span
  private var step = Step.running
  private(set) var deadline: Instant

  init(start: Instant, timeout: Span, grace: Span) {
    self.grace = grace
    deadline = start + timeout
  }

  var isTerminating: Bool { step != .running }

  /// Returns the signal to send now, or nil if none is due.
  mutating func advance(to now: Instant) -> Int32? {
    guard now >= deadline else { return nil }
    switch step {
    case .running:
      step = .terminating
      deadline = now + grace
      return SIGTERM
    case .terminating:
      step = .killed
      deadline = .never
      return SIGKILL
    case .killed:
      return nil
    }
  }

  /// Ends the group early: the next `advance` sends SIGTERM; a further request does not shorten the grace.
  mutating func terminate(at now: Instant) {
    if step == .running { deadline = min(deadline, now) }
  }
}
