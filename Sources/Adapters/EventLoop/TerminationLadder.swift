import Glibc
import Instants

/// Which signal a child's process group gets, and when: SIGTERM at its timeout or when asked to end, SIGKILL a grace later, then nothing.
struct TerminationLadder {
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

  /// The signal to send now, if one is due.
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

  /// Ends it early: the next `advance` sends SIGTERM. Once that is sent, asking again does not shorten the grace.
  mutating func terminate(at now: Instant) {
    if step == .running { deadline = min(deadline, now) }
  }
}
