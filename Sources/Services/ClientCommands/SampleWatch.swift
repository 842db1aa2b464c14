import Instants
import Scheduling

/// Detects sensors that send no samples, at the start or later.
public final class SampleWatch {
  public var onSilence: () -> Void = {}

  private let scheduler: any Scheduler
  private var patience = Span.zero
  private var latest = Instant(microseconds: 0)
  private var timer: (any SchedulerTimer)?

  public init(_ scheduler: any Scheduler) {
    self.scheduler = scheduler
    timer = scheduler.timer { [unowned self] in check() }
  }

  /// Begins with the start of the sensors.
  ///
  /// - Parameter patience: the longest time without a sample.
  public func begin(patience: Span) {
    (self.patience, latest) = (patience, scheduler.now)
    timer?.arm(at: latest + patience)
  }

  /// Call for each sample.
  public func noteSample() { latest = scheduler.now }

  /// Arms the timer again. It is not armed for each sample, because samples come 50 times a second and more.
  private func check() {
    let silentAt = latest + patience
    // This process was stopped, as with Ctrl-Z: samples may wait to be read.
    if scheduler.now - silentAt >= .seconds(1) { latest = scheduler.now }
    guard scheduler.now >= latest + patience else {
      timer?.arm(at: latest + patience)
      return
    }
    onSilence()
  }
}
