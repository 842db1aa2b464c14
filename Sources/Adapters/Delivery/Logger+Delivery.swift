import Deliveries
import Diagnostics
import Logging

extension Logger.Metadata {
  /// The fields of a line about the delivery of an event.
  init(_ message: LogMessage, _ delivery: Delivery) {
    self = message.fields(of: delivery.event).mapValues { .string($0) }
  }
}
