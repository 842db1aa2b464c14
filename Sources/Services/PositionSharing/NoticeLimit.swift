import Instants
import Logging
import Scheduling
import Sharing

/// Passes on the notices of the hub, at most one a second, because a hostile hub can send a flood of them.
///
/// Each notice has all shares, so the newest one replaces those before.
final class NoticeLimit {
  private static let interval = Span.seconds(1)
  /// The time in which at most one notice that cannot be read is logged.
  private static let logPace = Span.seconds(60)

  private let scheduler: any Scheduler
  private let log: Logger
  private let body: (SharingNotice) throws(SharingError) -> Void
  private var newest: [UInt8]?
  private var next = Instant(microseconds: .min)
  private var lastFailure = Instant(microseconds: .min)
  private var timer: (any SchedulerTimer)?

  init(_ scheduler: any Scheduler, _ log: Logger, _ body: @escaping (SharingNotice) throws(SharingError) -> Void) {
    (self.scheduler, self.log, self.body) = (scheduler, log, body)
    timer = scheduler.timer { [unowned self] in
      // The hub takes the notice as handled. It sends another one after each connection, which ends the share again.
      do throws(SharingError) { try pass() } catch { log.error("\(error.message)") }
    }
  }

  /// Passes a notice on now or later.
  func receive(_ payload: [UInt8]) throws(SharingError) {
    newest = payload
    if scheduler.now >= next { try pass() } else { timer?.arm(at: next) }
  }

  /// Forgets the notice that waits.
  func forget() {
    newest = nil
    timer?.arm(at: .never)
  }

  private func pass() throws(SharingError) {
    guard let payload = newest else { return }
    forget()
    next = scheduler.now + Self.interval
    if let notice = SharingNotice(payload) { return try body(notice) }
    guard scheduler.now - lastFailure >= Self.logPace else { return }
    lastFailure = scheduler.now
    log.warning("ignored a notice of the hub about shares that cannot be read")
  }
}
