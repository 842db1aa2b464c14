import CRabbitMQ
import Glibc
import Ingest
import Instants
import Partitions

/// Reads the queues of a hub from a node of the broker, each on a channel of its own, so that it can be yielded alone.
public final class QueueReader: QueueMessageSource {
  /// The number of messages of a queue that the broker delivers before the first one is acknowledged.
  /// With 1,000 the library needs several times the CPU time.
  private static let prefetch: UInt16 = 200
  /// The time in which messages gather, so that a worker need not wake up for each of them.
  private static let gatheringTime = Span.milliseconds(20)

  private let link: AMQPConnection
  private let map: QueueMap
  private let clock: any IngestClock
  private var declared: Set<Int> = []
  private var subscriptions: [Int: Subscription] = [:]
  /// The library keeps 128 KiB for every number of a channel that was used, so few numbers take turns.
  private let mostChannels: Int
  private var lastChannel: amqp_channel_t = 0
  private var opened: UInt64 = 0
  /// The last time without a message that waits.
  private var emptyAt = Instant(microseconds: .min)

  /// A subscription to a queue.
  /// The library keeps messages that arrive while a channel is closed, and their tags would acknowledge others on the next
  /// channel with the number; they have the name of the former subscription.
  private struct Subscription {
    var channel: amqp_channel_t
    var name: String
  }

  /// Connects to a node.
  public init(_ address: BrokerAddress, _ credentials: BrokerCredentials, map: QueueMap, clock: any IngestClock) throws(BrokerError) {
    (self.map, self.clock) = (map, clock)
    mostChannels = map.queues * 4
    link = try AMQPConnection(address, credentials, channels: mostChannels)
  }

  public func open(queue: Int) throws {
    let channel = nextChannel()
    amqp_channel_open(link.connection, channel)
    try link.check("channel")
    amqp_basic_qos(link.connection, channel, 0, Self.prefetch, 0)
    try link.check("prefetch")
    if declared.insert(queue).inserted { try declare(queue, on: channel) }
    opened += 1
    let subscription = Subscription(channel: channel, name: "subscription-\(opened)")
    try QueueMap.name(ofQueue: queue).withAMQP { queueName throws(BrokerError) in
      try subscription.name.withAMQP { name throws(BrokerError) in
        amqp_basic_consume(link.connection, channel, queueName, name, 0, 0, 0, amqp_table_t())
        try link.check("subscription to queue \(queue)")
      }
    }
    subscriptions[queue] = subscription
  }

  private func nextChannel() -> amqp_channel_t {
    let used = subscriptions.values.map(\.channel)
    repeat { lastChannel = lastChannel % amqp_channel_t(mostChannels) + 1 } while used.contains(lastChannel)
    return lastChannel
  }

  /// Creates the queue and its bindings, or checks that an existing one is the same.
  private func declare(_ queue: Int, on channel: amqp_channel_t) throws(BrokerError) {
    try link.declare(queue: queue, on: channel)
    for pattern in map.patterns(ofQueue: queue) {
      try QueueMap.name(ofQueue: queue).withAMQP { name throws(BrokerError) in
        try "amq.topic".withAMQP { exchange throws(BrokerError) in
          try pattern.withAMQP { pattern throws(BrokerError) in
            amqp_queue_bind(link.connection, channel, name, exchange, pattern, amqp_table_t())
            try link.check("binding of queue \(queue)")
          }
        }
      }
    }
  }

  public func close(queue: Int) throws {
    guard let subscription = subscriptions.removeValue(forKey: queue) else { return }
    try link.check(
      amqp_channel_close(link.connection, subscription.channel, AMQP_REPLY_SUCCESS), "end of the subscription to queue \(queue)")
  }

  public func next(within time: Span) throws -> QueueMessage? {
    amqp_maybe_release_buffers(link.connection)
    if let message = try consume(within: .zero) { return delivery(message) }
    let now = clock.uptime
    let pause = min(max(.zero, emptyAt + Self.gatheringTime - now), time)
    if pause > .zero { usleep(UInt32(clamping: pause.microseconds)) }
    emptyAt = now + pause
    return try consume(within: time - pause).flatMap { delivery($0) }
  }

  /// Returns a message, which the caller has to destroy, or nil after this time without one.
  private func consume(within time: Span) throws -> amqp_envelope_t? {
    var limit = timeval(tv_sec: Int(time.microseconds / 1_000_000), tv_usec: Int(time.microseconds % 1_000_000))
    var envelope = amqp_envelope_t()
    let reply = amqp_consume_message(link.connection, &envelope, &limit, 0)
    if reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION, reply.library_error == AMQP_STATUS_TIMEOUT.rawValue { return nil }
    // A frame of another kind, such as the broker's end of a subscription, is an error as well.
    try link.check(reply, "delivery")
    return envelope
  }

  /// Returns the delivery of a message, which is destroyed; nil if the message is of a subscription that has ended.
  private func delivery(_ message: amqp_envelope_t) -> QueueMessage? {
    var envelope = message
    defer { amqp_destroy_envelope(&envelope) }
    // The broker delivers a message of a closed channel to the next subscriber.
    guard let (queue, subscription) = subscriptions.first(where: { $0.value.channel == envelope.channel }),
      subscription.name == AMQPConnection.text(envelope.consumer_tag)
    else { return nil }
    let body = UnsafeRawBufferPointer(start: envelope.message.body.bytes, count: envelope.message.body.len)
    return QueueMessage(
      queue: queue, tag: envelope.delivery_tag, routingKey: AMQPConnection.text(envelope.routing_key), body: Array(body),
      isRedelivered: envelope.redelivered != 0)
  }

  public func acknowledge(queue: Int, through tag: UInt64) throws {
    guard let channel = subscriptions[queue]?.channel else { throw link.error("acknowledgement without a subscription") }
    let status = amqp_basic_ack(link.connection, channel, tag, 1)
    guard status == AMQP_STATUS_OK.rawValue else { throw link.error("acknowledgement: \(AMQPConnection.text(status))") }
  }
}

extension String {
  /// Calls `body` with the octets of the text, which are valid during the call.
  func withAMQP<Result>(_ body: (amqp_bytes_t) throws(BrokerError) -> Result) throws(BrokerError) -> Result {
    var octets = Array(utf8)
    let result: Swift.Result<Result, BrokerError> = octets.withUnsafeMutableBytes { buffer in
      do throws(BrokerError) {
        return .success(try body(amqp_bytes_t(len: buffer.count, bytes: buffer.baseAddress)))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
