import Instants
import Logging
import Scheduling

/// The number of messages that wait at the broker, which is asked once a minute.
final class BacklogWatch {
  /// The time for which an answer, or the lack of one, counts.
  static let lifetime = Span.seconds(60)

  private let scheduler: any Scheduler
  private let ask: () throws -> Int
  private let log: Logger
  private var last: (time: Instant, backlog: Int?)?
  private var isFailing = false

  /// - Parameter ask: asks the broker, and waits for its answer.
  init(_ scheduler: any Scheduler, log: Logger, ask: @escaping () throws -> Int) {
    (self.scheduler, self.log, self.ask) = (scheduler, log, ask)
  }

  /// Returns the number; nil if the broker does not answer.
  func backlog() -> Int? {
    if let last, scheduler.now - last.time < Self.lifetime { return last.backlog }
    var backlog: Int?
    do {
      backlog = try ask()
      if isFailing { log.notice("the broker answers again") }
    } catch {
      if !isFailing { log.error("\(error); the backlog is unknown") }
    }
    // After the answer, which may have taken long.
    last = (scheduler.now, backlog)
    isFailing = backlog == nil
    return backlog
  }
}
