import Instants
import Scheduling

/// Answers a watchdog while the work of the program goes on, and not merely because a timer fires.
///
/// Each check sends a probe through the loop, and answers the watchdog when the probe has returned. If the probe does not return, or the
/// program does not proceed, the watchdog gets no answer, and the service manager restarts the program.
public final class Watchdog {
  private let scheduler: any Scheduler
  private let interval: Span
  private let probe: (@escaping () -> Void) -> Void
  private let isStuck: () -> Bool
  private let feed: () -> Void
  private var timer: (any SchedulerTimer)?
  private var began: Instant
  /// The duration of the latest probe that returned; nil before the first one.
  public private(set) var latency: Span?

  /// Starts the first check after one interval.
  ///
  /// - Parameters:
  ///   - interval: the time from check to check, which should be well below the limit of the service manager.
  ///   - probe: calls its argument later, once every kind of source of the loop has worked.
  ///   - isStuck: returns whether the program has not proceeded since its last call, although work is waiting.
  ///   - feed: reports to the service manager that the program works.
  public init(
    _ scheduler: any Scheduler, every interval: Span, probe: @escaping (@escaping () -> Void) -> Void, isStuck: @escaping () -> Bool,
    feed: @escaping () -> Void
  ) {
    self.scheduler = scheduler
    self.interval = interval
    self.probe = probe
    self.isStuck = isStuck
    self.feed = feed
    began = scheduler.now
    timer = scheduler.timer { [unowned self] in check() }
    timer?.arm(at: began + interval)
  }

  private func check() {
    began = scheduler.now
    probe { [weak self] in self?.returned() }
  }

  private func returned() {
    latency = scheduler.now - began
    if !isStuck() { feed() }
    timer?.arm(at: began + interval)
  }
}

/// A message of a loop to itself, which passes through its descriptors and its deferred work.
final class LoopProbe {
  private let loop: Loop
  private let wakeUp: WakeUp
  private var source: IOSource?
  private var completion: (() -> Void)?

  init(_ loop: Loop) throws(SystemCallError) {
    self.loop = loop
    wakeUp = try WakeUp()
    source = try wakeUp.source(on: loop) { [unowned self] in
      loop.enqueue { [weak self] in self?.completion.take()?() }
    }
  }

  deinit {
    source?.cancel()
  }

  /// Calls `completion` once the loop has dispatched a descriptor and then deferred work.
  func send(_ completion: @escaping () -> Void) {
    self.completion = completion
    wakeUp.send()
  }
}
