import Instants
import Scheduling

/// Watches the end of a rollout's trial, for a program that uses the rollout.
///
/// The notifier ends a trial in time. If it does not, the rollout goes out of use at the end, and the program reads its configuration
/// again.
public final class TrialWatch {
  /// The rollout that readers of the configuration use.
  public struct Rollout: Hashable, Sendable {
    /// 0 for none.
    public let revision: Int64
    /// The end of its trial on the clock of `uptime`; nil if it is not on trial.
    public let trialEnd: Span?

    public init(revision: Int64, trialEnd: Span?) { (self.revision, self.trialEnd) = (revision, trialEnd) }
  }

  /// The time from the end of a trial to the check.
  private static let margin = Span.seconds(1)

  /// Receives that the configuration must be read again.
  public var onEnd: () -> Void = {}

  private let scheduler: any Scheduler
  private let uptime: () -> Span
  private let stored: () -> Rollout?
  private var revision: Int64 = 0
  private var timer: (any SchedulerTimer)?

  /// - Parameters:
  ///   - uptime: Returns the time since the boot of the machine, including sleep.
  ///   - stored: Reads the stored rollout; returns nil if its file cannot be read.
  public init(_ scheduler: any Scheduler, uptime: @escaping () -> Span, stored: @escaping () -> Rollout?) {
    (self.scheduler, self.uptime, self.stored) = (scheduler, uptime, stored)
  }

  /// Call with the rollout of a configuration that was applied.
  public func follow(_ rollout: Rollout) {
    revision = rollout.revision
    arm(rollout.trialEnd)
  }

  private func arm(_ end: Span?) {
    // Without a rollout on trial there is no timer.
    guard let end else { return }
    let timer = timer ?? scheduler.timer { [unowned self] in check() }
    timer.arm(at: scheduler.now + max(end - uptime(), .zero) + Self.margin)
    self.timer = timer
  }

  private func check() {
    guard let rollout = stored(), rollout.revision == revision else { return onEnd() }
    arm(rollout.trialEnd)
  }
}
