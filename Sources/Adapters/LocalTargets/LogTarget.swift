import DeliveryScheduling
import Diagnostics
import EventActions
import EventLoop
import Logging
import Notification

/// Writes a line to the log for each event.
public final class LogTarget: DeliveryTarget {
  private let loop: Loop
  private let template: Template
  private let log: Logger

  public init(_ loop: Loop, _ template: Template, log: Logger) {
    self.loop = loop
    self.template = template
    self.log = log
  }

  public func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    log.info("\(template.text(for: delivery.event))", metadata: .init(.eventNoted, delivery))
    loop.enqueue { completion(.delivered) }
  }
}
