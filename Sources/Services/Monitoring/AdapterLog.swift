import BeaconAdvertising
import Beacons
import Diagnostics
import Instants
import Logging
import RadioHealth
import Scheduling

/// Logs changes in the health of adapters that last.
public final class AdapterLog {
  /// The delay of log lines; changes that do not last as long are not logged.
  /// For example, when an adapter is unplugged, BlueZ first reports that it is off.
  private static let delay = Span.milliseconds(300)

  private let log: Logger
  private let scheduler: any Scheduler
  /// Returns the fault that keeps all adapters from receiving, if there is one, and the health of each adapter.
  private let health: () -> (trouble: String?, adapters: [AdapterHealth])
  private var changes = RadioHealthLog()
  private var timer: (any SchedulerTimer)?

  /// - Parameter health: returns the fault that keeps all adapters from receiving, and the health of each adapter.
  public init(_ scheduler: any Scheduler, log: Logger, health: @escaping () -> (trouble: String?, adapters: [AdapterHealth])) {
    self.scheduler = scheduler
    self.log = log
    self.health = health
    timer = scheduler.timer { [unowned self] in write() }
  }

  /// Call after each change of the health.
  public func changed() {
    if health().adapters.contains(where: { $0.state == .silent }) {
      // A state that is detected and answered here at once would be over before it is reported.
      write()
    } else if timer?.due == nil {
      timer?.arm(at: scheduler.now + Self.delay)
    }
  }

  private func write() {
    let (trouble, adapters) = health()
    for line in changes.lines(trouble: trouble, adapters: adapters) {
      let fields = LogMessage.adapterChanged.fields(adapter: line.adapter?.description)
      log.log(level: line.isGood ? .notice : .warning, "\(line.text)", metadata: fields.mapValues { .string($0) })
    }
  }
}
