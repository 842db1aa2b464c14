import FleetMessages
import Partitions

/// A delivery with all that can be read from it alone.
struct IngestMessage {
  var delivery: Delivery
  /// The sender; nil if the routing key is none of this queue.
  var address: DeviceAddress?
  /// The message, or its fault; nil without a sender.
  var content: Result<FleetMessage, FleetMessageError>?
  /// The reason for which the database refuses the message.
  var fault: String?

  init(_ delivery: Delivery, map: QueueMap, fault: String?) {
    (self.delivery, self.fault) = (delivery, fault)
    guard let address = FleetAddress(routingKey: delivery.routingKey), map.queue(ofPartition: address.partition) == delivery.queue else {
      return
    }
    self.address = address
    do throws(FleetMessageError) {
      content = .success(try FleetMessage(delivery.body))
    } catch {
      content = .failure(error)
    }
  }
}
