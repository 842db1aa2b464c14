import CRabbitMQ
import EventLoop
import Glibc
import Instants

/// Asks a node whether the broker takes messages.
///
/// A broker that lacks memory or disk space reports it on a connection that publishes, and on no other one. The probe publishes an empty
/// message, which no queue takes. A broker that takes messages confirms it. An alarm of one node holds for all nodes.
public final class AlarmProbe {
  private static let channel: amqp_channel_t = 1
  /// The time for an answer.
  private static let limit = Span.seconds(2)
  /// The number of questions during an alarm after which the link is replaced. Nothing else notices its end then.
  private static let mostRepeats = 10
  private static let routingKey = "hub.probe"
  /// The beginning of the reasons of RabbitMQ.
  private static let reasonPrefix = "low on "

  private let address: BrokerAddress
  private let credentials: BrokerCredentials
  private var link: AMQPConnection?
  private var alarm: String?
  /// Whether the broker has not confirmed the last message.
  private var isWaiting = false
  /// The questions since the last message.
  private var repeats = 0

  /// Connects with the first question.
  public init(_ address: BrokerAddress, _ credentials: BrokerCredentials) { (self.address, self.credentials) = (address, credentials) }

  /// Returns the resource that the broker lacks, such as `disk`; nil if it takes messages.
  public func ask() throws(BrokerError) -> String? {
    let link = try openLink()
    // A link that throws is not used again.
    self.link = nil
    if !isWaiting {
      try publish(on: link)
      repeats = 0
    }
    (isWaiting, repeats) = (true, repeats + 1)
    let start = MonotonicClock.now
    while isWaiting {
      // An alarm is an answer, which its end may follow at once.
      let deadline = start + (alarm == nil ? Self.limit : .zero)
      guard let frame = try frame(of: link, within: max(.zero, deadline - MonotonicClock.now)) else {
        guard alarm != nil else { throw link.error("no answer to a message in \(Int(Self.limit.seconds)) s") }
        break
      }
      read(frame)
    }
    if repeats < Self.mostRepeats { self.link = link }
    return alarm
  }

  private func openLink() throws(BrokerError) -> AMQPConnection {
    if let link { return link }
    (alarm, isWaiting) = (nil, false)
    let link = try AMQPConnection(address, credentials, channels: 2, isPassive: true, isNotified: true)
    amqp_channel_open(link.connection, Self.channel)
    try link.check("channel")
    amqp_confirm_select(link.connection, Self.channel)
    try link.check("confirmations")
    return link
  }

  private func publish(on link: AMQPConnection) throws(BrokerError) {
    let status = try Self.routingKey.withAMQP { key throws(BrokerError) in
      try "amq.topic".withAMQP { exchange throws(BrokerError) in
        amqp_basic_publish(link.connection, Self.channel, exchange, key, 0, 0, nil, amqp_bytes_t())
      }
    }
    guard status == AMQP_STATUS_OK.rawValue else { throw link.error("message to no queue: \(AMQPConnection.text(status))") }
  }

  private func frame(of link: AMQPConnection, within span: Span) throws(BrokerError) -> amqp_frame_t? {
    amqp_maybe_release_buffers(link.connection)
    var limit = timeval(tv_sec: Int(span.microseconds / 1_000_000), tv_usec: Int(span.microseconds % 1_000_000))
    var frame = amqp_frame_t()
    let status = amqp_simple_wait_frame_noblock(link.connection, &frame, &limit)
    if status == AMQP_STATUS_TIMEOUT.rawValue { return nil }
    guard status == AMQP_STATUS_OK.rawValue else { throw link.error("answer to a message: \(AMQPConnection.text(status))") }
    return frame
  }

  private func read(_ frame: amqp_frame_t) {
    guard frame.frame_type == UInt8(AMQP_FRAME_METHOD), let decoded = frame.payload.method.decoded else { return }
    switch frame.payload.method.id {
    // The identifiers are macros that Swift does not import.
    case 0x000A_003C:
      let reason = AMQPConnection.text(decoded.assumingMemoryBound(to: amqp_connection_blocked_t.self).pointee.reason)
      alarm = reason.hasPrefix(Self.reasonPrefix) ? String(reason.dropFirst(Self.reasonPrefix.count)) : reason
    case 0x000A_003D: alarm = nil
    case 0x003C_0050: isWaiting = false
    default: break
    }
  }
}
