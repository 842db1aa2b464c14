import Diagnostics
import Events
import Instants
import Logging
import Proximity

// Events that are at no region.

extension MonitoringService {
  /// Stores an event for an appointment or an expected beacon in the journal of the config's regions, and sends it.
  ///
  /// - Parameter event: without a number, which it gets here.
  public func publish(_ event: Event) {
    guard let kind = event.kind else { return }
    var event = event
    driver.adjust { event.sequence = $0.takeSequence() }
    event.isClockSynchronised = source.isClockSynchronised
    eventCounts[kind, default: 0] += 1
    let time = isClockKnown ? wallClock(driver.engine.now) : event.time ?? Instant(microseconds: 0)
    guard let kept = journal.commit([event], [], at: time).first else { return }
    do {
      try bus?.publish(kept)
    } catch {
      unsentEventCount += 1
      log.notice(
        "event \(kept.sequence), \(kind.rawValue), is in the journal only: \(error)",
        metadata: LogMessage.eventNotSent.fields(of: kept).mapValues { .string($0) })
    }
  }
}
