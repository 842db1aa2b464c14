import Instants
import Scheduling

/// Detects a daemon that hangs: it answers a ping within a few seconds, even while a request takes minutes.
///
/// A request may wait for a user's consent or for an accurate fix.
final class AnswerWatch {
  /// The time limit for the bus, the start of the daemon, and its first answer together; then for the answer to each ping.
  static let limit = Span.seconds(4)
  /// The time from the answer to a ping to the next ping.
  static let interval = Span.milliseconds(400)

  /// Sends a ping, whose answer is reported to `noteAnswer`.
  var onPing: () -> Void = {}
  /// Runs when an answer is late.
  var onLate: () -> Void = {}

  private let scheduler: any Scheduler
  /// The time at which the pending answer is late.
  private var due = Instant.never
  private var isSettled = false
  private var deadline: (any SchedulerTimer)?
  private var nextPing: (any SchedulerTimer)?

  init(_ scheduler: any Scheduler) {
    self.scheduler = scheduler
    deadline = scheduler.timer { [unowned self] in giveUp() }
    nextPing = scheduler.timer { [unowned self] in ping() }
  }

  /// Starts the time limit of an answer.
  func expectAnswer() {
    due = scheduler.now + Self.limit
    deadline?.arm(at: due)
  }

  /// Pings the daemon from now on, unless the watch has settled.
  func ping() {
    guard !isSettled else { return }
    expectAnswer()
    onPing()
  }

  /// Call with the answer to a ping.
  func noteAnswer() {
    guard !isSettled, deadline?.due != nil else { return }
    deadline?.arm(at: .never)
    nextPing?.arm(at: scheduler.now + Self.interval)
  }

  /// Expects nothing until the next `ping` or `expectAnswer`, because the daemon is away or has answered.
  func pause() {
    deadline?.arm(at: .never)
    nextPing?.arm(at: .never)
  }

  /// Ends the watch, for a command that has its result and follows updates.
  func settle() {
    isSettled = true
    pause()
  }

  private func giveUp() {
    // This process was stopped, as with Ctrl-Z, or the machine was suspended: the answer may wait to be read.
    guard scheduler.now - due < .seconds(1) else { return expectAnswer() }
    onLate()
  }
}
