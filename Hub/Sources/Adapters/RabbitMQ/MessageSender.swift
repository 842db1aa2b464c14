import CRabbitMQ
import EventLoop
import Ingest
import Instants

/// Publishes messages to devices.
///
/// The connection is another one than that of the queues: a broker with a full disk stops reading from a connection that has published,
/// and would miss the acknowledgements that free its disk.
public final class MessageSender: MessagePublisher {
  /// The time after which an unused connection is replaced. Without heartbeats, the sender does not notice its end.
  private static let idleTime = Span.seconds(10)
  private static let channel: amqp_channel_t = 1

  private let address: BrokerAddress
  private let credentials: BrokerCredentials
  private var link: AMQPConnection?
  private var usedAt = Instant(microseconds: 0)

  /// Connects with the first message.
  public init(_ address: BrokerAddress, _ credentials: BrokerCredentials) { (self.address, self.credentials) = (address, credentials) }

  public func publish(_ octets: [UInt8], routingKey: String) throws {
    let link = try openLink()
    self.link = nil
    var octets = octets
    let status = try routingKey.withAMQP { key throws(BrokerError) in
      try "amq.topic".withAMQP { exchange throws(BrokerError) in
        octets.withUnsafeMutableBytes { body in
          amqp_basic_publish(
            link.connection, Self.channel, exchange, key, 0, 0, nil, amqp_bytes_t(len: body.count, bytes: body.baseAddress))
        }
      }
    }
    guard status == AMQP_STATUS_OK.rawValue else { throw link.error("message to a device: \(AMQPConnection.text(status))") }
    self.link = link
  }

  private func openLink() throws(BrokerError) -> AMQPConnection {
    let now = MonotonicClock.now
    defer { usedAt = now }
    if let link, now - usedAt < Self.idleTime { return link }
    link = nil
    let new = try AMQPConnection(address, credentials, channels: 2, isPassive: true)
    amqp_channel_open(new.connection, Self.channel)
    try new.check("channel")
    return new
  }
}
