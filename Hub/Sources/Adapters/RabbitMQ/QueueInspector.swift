import CRabbitMQ
import Partitions

/// Reads the lengths of a hub's queues.
public struct QueueInspector {
  private let link: AMQPConnection

  /// Connects to a node.
  public init(_ address: BrokerAddress, _ credentials: BrokerCredentials) throws(BrokerError) {
    link = try AMQPConnection(address, credentials, channels: 2)
    amqp_channel_open(link.connection, 1)
    try link.check("channel")
  }

  /// Returns the number of messages that wait in each queue and are not delivered to a worker.
  /// Throws if a queue does not exist.
  public func backlogs(of map: QueueMap) throws(BrokerError) -> [Int] {
    var backlogs: [Int] = []
    for queue in 0..<map.queues { backlogs.append(try link.declare(queue: queue, isPassive: true, on: 1)) }
    return backlogs
  }
}
