import Instants
import Logging
import Scheduling

/// Opens an outbox file that failed at the start, until the outbox in memory receives its first delivery.
///
/// From that delivery on the outbox in memory stays in use. The file would bring older events, which targets would receive after newer
/// ones, and its deliveries have the ids of other deliveries that may be under way.
final class OutboxReopener {
  private let scheduler: any Scheduler
  private let batcher: OutboxBatcher
  private let file: any OutboxFile
  private let log: Logger
  /// Called after the file replaced the outbox in memory.
  private let onReplaced: () -> Void
  private var backoff = Backoff(from: .seconds(5), to: .seconds(60))
  private var random = SystemRandomNumberGenerator()
  private var timer: (any SchedulerTimer)?

  init(_ scheduler: any Scheduler, _ batcher: OutboxBatcher, _ file: any OutboxFile, log: Logger, onReplaced: @escaping () -> Void) {
    self.scheduler = scheduler
    self.batcher = batcher
    self.file = file
    self.log = log
    self.onReplaced = onReplaced
    timer = scheduler.timer { [unowned self] in retry() }
    log.error("\(file.failure); until then the outbox is in memory, and a restart may lose deliveries")
    wait()
  }

  private func wait() { timer?.arm(at: scheduler.now + backoff.next(using: &random)) }

  private func retry() {
    // The timer ends here, so each of the last lines is logged once.
    guard !batcher.hasQueued else {
      log.warning("the outbox stays in memory, because it has received deliveries; restart the notifier when the disk works again")
      return
    }
    switch file.open() {
    case .failed: wait()
    case .unreadable(let reason): log.error("\(reason); the outbox stays in memory until then")
    case .opened(let outbox):
      batcher.replaceOutbox(by: outbox)
      log.notice("the outbox is on disk")
      onReplaced()
    }
  }
}
