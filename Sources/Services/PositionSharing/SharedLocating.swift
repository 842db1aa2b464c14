import Consent
import FleetMessages
import Instants
import Logging
import Scheduling

/// Locates this device for one share, in a session of its own, so that `beaconmon privacy` shows the purpose of each share.
final class SharedLocating {
  /// The time between two attempts.
  static let pause = Span.seconds(60)
  /// The requested accuracy in metres, one sigma.
  static let desiredAccuracy = 5.0
  /// The distance in metres below which a location is not reported again.
  static let distanceFilter = 2.0

  private let scheduler: any Scheduler
  private let source: any PositionSource
  private let purpose: String
  private let log: Logger
  private let body: (SharedPosition?) -> Void
  private var session: (any PositionSession)?
  private var timer: (any SchedulerTimer)?
  /// The failure in the last log line; nil since the position is known.
  private var logged: String?

  /// - Parameter body: takes nil while the position is unknown, and is never called inside this call.
  init(
    _ scheduler: any Scheduler, _ source: any PositionSource, for purpose: String, log: Logger, _ body: @escaping (SharedPosition?) -> Void
  ) {
    (self.scheduler, self.source, self.purpose, self.log, self.body) = (scheduler, source, purpose, log, body)
    timer = scheduler.timer { [unowned self] in begin() }
    timer?.arm(at: scheduler.now)
  }

  deinit {
    // Released later, because its callback may still use it.
    let closed = session
    scheduler.enqueue { withExtendedLifetime(closed) {} }
  }

  private func begin() {
    if session == nil {
      do throws(PositionSourceFailure) {
        session = try source.openSession(for: purpose) { [weak self] in self?.take($0) }
      } catch {
        return fail(error.reason, isTemporary: true)
      }
    }
    session?.startLocating(desiredAccuracy: Self.desiredAccuracy, distanceFilter: Self.distanceFilter)
  }

  private func take(_ event: PositionSessionEvent) {
    switch event {
    case .position(let position):
      if position != nil { logged = nil }
      body(position)
    // The last position must not stay shared.
    case .authorization(let authorization): if !authorization.covers(.whenInUse) { body(nil) }
    case .withoutConsent(let reason): fail(reason, isTemporary: false)
    case .refused(let reason): fail(reason, isTemporary: true)
    }
  }

  private func fail(_ reason: String, isTemporary: Bool) {
    if logged != reason { log.notice("a shared position is unknown: \(reason)") }
    logged = reason
    body(nil)
    timer?.arm(at: isTemporary ? scheduler.now + Self.pause : .never)
  }
}
