import Failures
import Instants
import Scheduling

/// Ends a command that listens for beacons when its time has passed, or if the daemon cannot receive.
///
/// The time begins when the daemon is available.
public final class ListeningWatch {
  /// The effect of an obstacle that keeps the daemon from receiving.
  public enum ObstacleRule: Sendable {
    /// Ends the command, which shows what the daemon receives.
    case ends
    /// Is noted by the command, which goes on until its time has passed.
    case isNoted
  }

  /// Whether the daemon receives advertisements now, of beacons or other devices. An earlier daemon may have received some.
  public var hasHeard = false
  /// Receives an obstacle that the command notes.
  public var onNote: (String) -> Void = { _ in }
  /// Receives the end, with the reason if the daemon cannot receive.
  public var onEnd: (Failure?) -> Void = { _ in }

  private let scheduler: any Scheduler
  private let rule: ObstacleRule
  private let hearing: HearingCheck
  private var timer: (any SchedulerTimer)?

  public init(_ scheduler: any Scheduler, obstacle rule: ObstacleRule) {
    (self.scheduler, self.rule) = (scheduler, rule)
    hearing = HearingCheck(scheduler)
    timer = scheduler.timer { [unowned self] in finish() }
  }

  /// Listens for a time that begins now. Call when the daemon is available.
  ///
  /// - Parameter duration: nil until the user ends the command.
  public func begin(for duration: Span?, _ ask: @escaping HearingCheck.Question) {
    if let duration { timer?.arm(at: scheduler.now + duration) }
    hearing.begin(ask) { [unowned self] in if let obstacle = $0 { take(obstacle) } }
  }

  private func take(_ obstacle: String) {
    switch rule {
    case .ends: end(obstacle)
    case .isNoted: onNote(obstacle)
    }
  }

  /// Ends without beacons: either none is near, or the source has gone away, which a command that notes obstacles has shown.
  private func finish() {
    guard !hasHeard, rule == .ends else { return onEnd(nil) }
    hearing.again { [unowned self] in end($0) }
  }

  private func end(_ obstacle: String?) {
    timer?.arm(at: .never)
    onEnd(obstacle.map { Failure(.unavailable, $0) })
  }
}
