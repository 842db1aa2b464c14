import DeliveryScheduling
import Diagnostics
import Logging

extension Logger.Metadata {
  /// Creates the fields of a log line about the delivery of an event.
  public init(_ message: LogMessage, _ delivery: Delivery) {
    self = message.fields(of: delivery.event).mapValues { .string($0) }
  }
}
