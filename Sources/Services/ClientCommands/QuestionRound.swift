import Instants
import Scheduling

/// Questions that run in parallel, each with a time limit, until all have ended.
public final class QuestionRound {
  /// The time limit of one question to a bus, a program or a host.
  public static let patience = Span.seconds(4)

  /// Runs when the last question has ended.
  public var onComplete: () -> Void = {}
  /// Whether every question has ended.
  public private(set) var isComplete = false

  private let scheduler: any Scheduler
  /// The questions without an answer so far.
  private var pending: Set<Int> = []
  private var lastQuestion = 0
  private var timers: [any SchedulerTimer] = []

  public init(_ scheduler: any Scheduler) { self.scheduler = scheduler }

  /// Starts a question, and returns the function that ends it; `onLate` is called if the question does not end in time.
  public func ask(_ patience: Span = patience, onLate: @escaping () -> Void = {}) -> () -> Void {
    lastQuestion += 1
    let number = lastQuestion
    pending.insert(number)
    let end = { [unowned self] in
      if pending.remove(number) != nil, pending.isEmpty {
        isComplete = true
        onComplete()
      }
    }
    let timer = scheduler.timer { [unowned self] in
      if pending.contains(number) { onLate() }
      end()
    }
    timer.arm(at: scheduler.now + patience)
    timers.append(timer)
    return end
  }
}
