import FleetMessages
import Instants
import Scheduling

/// Sends the positions of one share at a modest rate: every ten seconds while they change, and each minute otherwise.
final class PositionSender {
  /// The time for which the first position may be unknown before that is sent.
  private static let patience = Span.seconds(2)

  /// The session in the daemon, which lasts as long as this object.
  var locating: SharedLocating?
  private let scheduler: any Scheduler
  /// Sends a position, and returns whether it is on its way.
  private let send: (SharedPosition?) -> Bool
  private var latest: SharedPosition?
  private var sent: (position: SharedPosition?, time: Instant)?
  private var isUnderWay = false
  private var timer: (any SchedulerTimer)?

  init(_ scheduler: any Scheduler, send: @escaping (SharedPosition?) -> Bool) {
    (self.scheduler, self.send) = (scheduler, send)
    timer = scheduler.timer { [unowned self] in step() }
    timer?.arm(at: scheduler.now + Self.patience)
  }

  func take(_ position: SharedPosition?) {
    latest = position
    step()
  }

  func connectionChanged() {
    (sent, isUnderWay) = (nil, false)
    step()
  }

  /// The position under way has arrived or is lost; the next one replaces it either way.
  func settled() { isUnderWay = false }

  private func step() {
    let now = scheduler.now
    if let sent {
      let isOther = sent.position.differs(from: latest)
      let isFirst = sent.position == nil && latest != nil
      let due = sent.time + (isFirst ? .zero : isOther ? SharingService.pace : SharingService.longestPause)
      guard now >= due else {
        timer?.arm(at: due)
        return
      }
    }
    if !isUnderWay, send(latest) {
      (sent, isUnderWay) = ((latest, now), true)
    }
    timer?.arm(at: now + SharingService.pace)
  }
}

extension SharedPosition? {
  /// Whether the positions are a step apart, or at different places.
  fileprivate func differs(from other: SharedPosition?) -> Bool {
    guard let a = self, let b = other else { return self != other }
    guard a.floor == b.floor, a.level == b.level, a.venue == b.venue, a.place == b.place else { return true }
    // Degrees of latitude have 111 km; those of longitude have less, so that this overestimates.
    let metres = max(abs(a.latitude - b.latitude), abs(a.longitude - b.longitude)) * 111_320
    return metres >= SharingService.step
  }
}
