import Instants
import Logging
import Scheduling

/// Opens an outbox file that failed at the start, and moves the deliveries of the outbox in memory to it.
///
/// The file gives deliveries other ids, so the workers pause until every attempt under way has ended. The deliveries that wait in the file
/// come first, then those that were queued in memory. Events from before the start of the notifier that the file has not seen follow from
/// the daemon.
final class OutboxReopener {
  /// The longest pause of the workers; after it they continue, and another attempt follows.
  static let longestHold = Span.seconds(60)

  private let scheduler: any Scheduler
  private let batcher: OutboxBatcher
  private let dispatcher: DeliveryDispatcher
  private let file: any OutboxFile
  private let log: Logger
  /// Runs after the file replaced the outbox in memory.
  private let onReplaced: () -> Void
  private var backoff = Backoff(from: .seconds(5), to: .seconds(60))
  private var random = SystemRandomNumberGenerator()
  private var timer: (any SchedulerTimer)?
  private var isHolding = false

  init(
    _ scheduler: any Scheduler, _ batcher: OutboxBatcher, _ dispatcher: DeliveryDispatcher, _ file: any OutboxFile, log: Logger,
    onReplaced: @escaping () -> Void
  ) {
    self.scheduler = scheduler
    self.batcher = batcher
    self.dispatcher = dispatcher
    self.file = file
    self.log = log
    self.onReplaced = onReplaced
    timer = scheduler.timer { [unowned self] in isHolding ? giveUpHolding() : retry() }
    log.error("\(file.failure); until then the outbox is in memory, and a restart may lose deliveries")
    wait()
  }

  private func wait() { timer?.arm(at: scheduler.now + backoff.next(using: &random)) }

  private func retry() {
    switch file.open() {
    case .failed: wait()
    // The timer ends here, so the line is logged once.
    case .unreadable(let reason): log.error("\(reason); the outbox stays in memory until then")
    case .opened(let outbox):
      isHolding = true
      timer?.arm(at: scheduler.now + Self.longestHold)
      dispatcher.hold { [unowned self] in replace(by: outbox) }
    }
  }

  private func replace(by outbox: any EventOutbox) {
    timer?.arm(at: .never)
    isHolding = false
    do {
      try batcher.replaceOutbox(by: outbox)
    } catch {
      dispatcher.resume()
      return wait()
    }
    log.notice("the outbox is on disk")
    onReplaced()
    dispatcher.resume()
  }

  private func giveUpHolding() {
    isHolding = false
    dispatcher.resume()
    wait()
  }
}
