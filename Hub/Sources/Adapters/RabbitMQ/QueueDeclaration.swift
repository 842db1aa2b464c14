import BrokerDefinitions
import CRabbitMQ
import Partitions

extension AMQPConnection {
  /// Creates a queue of a hub, or checks that an existing one is the same. Returns the number of messages that wait in it.
  ///
  /// Throws if an existing queue has other arguments, above all a limit of deliveries: a worker that cannot write would use it up.
  ///
  /// - Parameter isPassive: whether it only checks that the queue exists
  @discardableResult
  func declare(queue: Int, isPassive: Bool = false, on channel: amqp_channel_t) throws(BrokerError) -> Int {
    let hasLimit = BrokerDefinitions.limitsDeliveries(majorVersion)
    let declared = try QueueMap.name(ofQueue: queue).withAMQP { name throws(BrokerError) in
      try "x-queue-type".withAMQP { typeKey throws(BrokerError) in
        try "quorum".withAMQP { type throws(BrokerError) in
          try "x-single-active-consumer".withAMQP { activeKey throws(BrokerError) in
            try "x-delivery-limit".withAMQP { limitKey throws(BrokerError) in
              var entries = [amqp_table_entry_t](repeating: amqp_table_entry_t(), count: hasLimit ? 3 : 2)
              entries[0].key = typeKey
              entries[0].value.kind = UInt8(AMQP_FIELD_KIND_UTF8.rawValue)
              entries[0].value.value.bytes = type
              entries[1].key = activeKey
              entries[1].value.kind = UInt8(AMQP_FIELD_KIND_BOOLEAN.rawValue)
              entries[1].value.value.boolean = 1
              if hasLimit {
                entries[2].key = limitKey
                entries[2].value.kind = UInt8(AMQP_FIELD_KIND_I32.rawValue)
                entries[2].value.value.i32 = Int32(BrokerDefinitions.unlimitedDeliveries)
              }
              return entries.withUnsafeMutableBufferPointer {
                amqp_queue_declare(
                  connection, channel, name, isPassive ? 1 : 0, 1, 0, 0, amqp_table_t(num_entries: Int32($0.count), entries: $0.baseAddress)
                )
              }
            }
          }
        }
      }
    }
    do throws(BrokerError) {
      try check("queue \(queue)")
    } catch  where error.description.contains("'x-delivery-limit'") {
      throw self.error(
        "queue \(QueueMap.name(ofQueue: queue)) drops messages that were delivered too often; make it again as \"RabbitMQ 4\" in Docs/fleet/install.md says "
          + "(\(error))")
    }
    return Int(declared?.pointee.message_count ?? 0)
  }
}
