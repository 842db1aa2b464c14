import BrokerDefinitions
import CRabbitMQ
import Glibc

/// A connection to a broker over TLS. After a call that throws, the connection cannot be used again.
final class AMQPConnection {
  private static let heartbeat: Int32 = 4
  /// The time for each answer of the broker. A passive connection is opened by a thread that must go on.
  private static let (answerSeconds, passiveAnswerSeconds) = (10, 2)
  private static let virtualHost = "/"

  let connection: amqp_connection_state_t
  let address: BrokerAddress

  /// Connects, and logs in as the user `hub` with its password. The broker also requires a certificate of the fleet.
  ///
  /// Gives up if an answer takes ten seconds, or two if `isPassive`.
  ///
  /// - Parameters:
  ///   - isPassive: whether nothing reads from the connection while it is not used, so that there are no heartbeats
  ///   - isNotified: whether the broker says when it takes no messages
  init(
    _ address: BrokerAddress, _ credentials: BrokerCredentials, channels: Int, isPassive: Bool = false, isNotified: Bool = false
  ) throws(BrokerError) {
    guard let connection = amqp_new_connection() else { throw BrokerError(address, "out of memory") }
    // From here on deinit runs even if the initializer throws.
    (self.connection, self.address) = (connection, address)
    guard let socket = amqp_ssl_socket_new(connection) else { throw BrokerError(address, "out of memory") }
    amqp_ssl_socket_set_verify_peer(socket, 1)
    amqp_ssl_socket_set_verify_hostname(socket, 1)
    guard amqp_ssl_socket_set_cacert(socket, credentials.authority) == 0 else {
      throw BrokerError(address, "\(credentials.authority) is not a readable certificate of an authority")
    }
    guard amqp_ssl_socket_set_key(socket, credentials.certificate, credentials.key) == 0 else {
      throw BrokerError(address, "\(credentials.certificate) and \(credentials.key) are not a readable certificate and its key")
    }
    var limit = timeval(tv_sec: isPassive ? Self.passiveAnswerSeconds : Self.answerSeconds, tv_usec: 0)
    amqp_set_handshake_timeout(connection, &limit)
    amqp_set_rpc_timeout(connection, &limit)
    // The library ends the process if it logs in on a socket that is not open.
    let status = amqp_socket_open_noblock(socket, address.host, Int32(address.port), &limit)
    guard status == 0 else { throw BrokerError(address, Self.text(status)) }
    // The kernel ends a connection to a host that confirms nothing.
    var milliseconds = UInt32(limit.tv_sec * 1000)
    setsockopt(amqp_get_sockfd(connection), Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, 4)
    let login = isNotified ? hub_amqp_login_notified : hub_amqp_login_plain
    let reply = login(
      connection, Self.virtualHost, Int32(channels), isPassive ? 0 : Self.heartbeat, BrokerDefinitions.hubUser, credentials.password.secret)
    do throws(BrokerError) { try check(reply, "login") } catch { throw BrokerError(login: error) }
  }

  deinit { amqp_destroy_connection(connection) }

  /// The first number of the version of RabbitMQ; nil if the server does not say it.
  var majorVersion: Int? {
    guard let properties = amqp_get_server_properties(connection)?.pointee, let entries = properties.entries else { return nil }
    for index in 0..<Int(properties.num_entries) where Self.text(entries[index].key) == "version" {
      guard entries[index].value.kind == UInt8(AMQP_FIELD_KIND_UTF8.rawValue) else { return nil }
      return Int(Self.text(entries[index].value.value.bytes).prefix { $0 != "." })
    }
    return nil
  }

  /// Throws if the answer to the last call reports a failure.
  func check(_ action: String) throws(BrokerError) { try check(amqp_get_rpc_reply(connection), action) }

  func check(_ reply: amqp_rpc_reply_t, _ action: String) throws(BrokerError) {
    switch reply.reply_type {
    case AMQP_RESPONSE_NORMAL: return
    case AMQP_RESPONSE_LIBRARY_EXCEPTION: throw BrokerError(address, "\(action): \(Self.text(reply.library_error))")
    default: throw BrokerError(address, "\(action): \(Self.text(of: reply.reply))")
    }
  }

  func error(_ text: String) -> BrokerError { BrokerError(address, text) }

  static func text(_ status: Int32) -> String { amqp_error_string2(status).map { String(cString: $0) } ?? "status \(status)" }

  /// Returns the broker's reason for closing a channel or the connection.
  private static func text(of method: amqp_method_t) -> String {
    guard let decoded = method.decoded else { return "closed without a reason" }
    switch method.id {
    case 0x000A_0032: return text(decoded.assumingMemoryBound(to: amqp_connection_close_t.self).pointee.reply_text)
    case 0x0014_0028: return text(decoded.assumingMemoryBound(to: amqp_channel_close_t.self).pointee.reply_text)
    default: return "unexpected answer \(method.id)"
    }
  }

  static func text(_ octets: amqp_bytes_t) -> String {
    String(decoding: UnsafeRawBufferPointer(start: octets.bytes, count: octets.len), as: UTF8.self)
  }
}
