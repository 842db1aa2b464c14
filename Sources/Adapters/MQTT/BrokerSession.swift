import BrokerPublishing
internal import CMosquitto
import EventLoop
import Glibc
import Instants
import Publishing

/// One connection to a broker, through a client of libmosquitto on the event loop.
///
/// Every message has quality of service 1. The caller sends unacknowledged messages again after the connection has ended.
final class BrokerSession: BrokerConnection {
  /// The keep-alive interval in seconds, after which a silent loss of the broker is detected.
  private static let keepAlive: Int32 = 60

  private let loop: Loop
  private let library: MosquittoLibrary
  private let client: OpaquePointer
  private var io: IOSource?
  private var timer: Timer?
  private var hasSession = false
  private var isOver = false
  /// The number of the subscription that the broker has not answered; nil for none.
  private var subscription: Int32?
  private var input = InputLimit()
  /// A violation of the protocol, which ends the connection after the present call of libmosquitto.
  private var violation: String?
  /// The message of libmosquitto for a failure, which is more specific than its code.
  fileprivate var lastError: String?

  private let onStep: (BrokerStep) -> Void

  /// Starts to connect to one address of the broker. Callbacks follow later, from the loop.
  ///
  /// - Parameter will: the message that the broker publishes when it loses the connection.
  init(
    _ loop: Loop, _ library: MosquittoLibrary, to broker: Broker, at address: String, will: Publication?,
    _ onStep: @escaping (BrokerStep) -> Void
  ) throws(BrokerError) {
    (self.loop, self.library, self.onStep) = (loop, library, onStep)
    guard let client = library.functions.new_client(broker.client, true, nil) else { throw BrokerError("out of memory") }
    self.client = client
    try setUp(broker, will: will)
    try begin(broker, at: address)
  }

  deinit {
    io?.cancel()
    library.functions.destroy(client)
  }

  /// Publishes a message, and returns the number of its acknowledgement.
  func publish(_ payload: [UInt8], to topic: String, isRetained: Bool) throws(BrokerError) -> Int32 {
    var number: Int32 = 0
    let code = library.functions.publish(client, &number, topic, Int32(payload.count), payload, 1, isRetained)
    guard code == 0 else {
      // libmosquitto may have closed the socket, whose number the next open file reuses.
      io?.cancel()
      throw failure(code)
    }
    refresh()
    return number
  }

  /// Subscribes to a topic with quality of service 1.
  func subscribe(to topic: String) throws(BrokerError) {
    var number: Int32 = 0
    let code = library.functions.subscribe(client, &number, topic, 1)
    guard code == 0 else {
      // The same holds as for a failed publish.
      io?.cancel()
      throw failure(code)
    }
    subscription = number
    refresh()
  }
}

// MARK: Setting up

extension BrokerSession {
  private func setUp(_ broker: Broker, will: Publication?) throws(BrokerError) {
    library.functions.user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
    library.functions.connect_callback_set(client) { _, context, code in session(context)?.answered(code) }
    library.functions.publish_callback_set(client) { _, context, number in session(context)?.acknowledged(number) }
    library.functions.subscribe_callback_set(client) { _, context, number, count, codes in
      // A code of 128 is a refusal.
      session(context)?.subscribed(number, isAccepted: count > 0 && (codes?.pointee ?? 128) < 128)
    }
    library.functions.message_callback_set(client) { _, context, message in
      guard let message = message?.pointee, message.payloadlen >= 0 else { return }
      session(context)?.received(Array(UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))))
    }
    library.functions.log_callback_set(client) { _, context, level, text in
      guard let text, let session = session(context) else { return }
      if level == MOSQ_LOG_ERR { session.lastError = String(cString: text) }
      // Other callbacks do not report the answer to a ping.
      if level == MOSQ_LOG_DEBUG, strstr(text, "received PINGRESP") != nil { session.input.finish() }
      // libmosquitto keeps such a message until the broker releases it, without a limit. Only its log reports the arrival.
      if level == MOSQ_LOG_DEBUG, strstr(text, "received PUBLISH (d0, q2") != nil || strstr(text, "received PUBLISH (d1, q2") != nil {
        session.violation = "the broker sent a message with quality of service 2"
      }
    }
    _ = library.functions.int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
    if let will {
      let payload = Array(will.payload.utf8)
      try check(library.functions.will_set(client, will.topic, Int32(payload.count), payload, 1, will.isRetained))
    }
    if let username = broker.username { try check(library.functions.username_pw_set(client, username, broker.password)) }
    if case .tls(let certificates) = broker.encryption {
      // libmosquitto does not name a file that it cannot read.
      for path in [certificates, broker.identity?.certificate, broker.identity?.key].compactMap(\.self) where access(path, R_OK) != 0 {
        throw BrokerError("\(path) cannot be read: \(SystemCallError.text(of: errno))")
      }
      // Without a callback, OpenSSL would ask for the passphrase of an encrypted key on the terminal.
      try check(
        library.functions.tls_set(
          client, certificates, certificates == nil ? "/etc/ssl/certs" : nil, broker.identity?.certificate, broker.identity?.key
        ) { _, _, _, _ in 0 })
    }
  }

  /// Starts to connect.
  ///
  /// libmosquitto blocks while it resolves a host. Without TLS it gets the address. With TLS it needs the name for the certificate; the
  /// name was resolved just before and is cached, and binding to the address family selects the address.
  private func begin(_ broker: Broker, at address: String) throws(BrokerError) {
    let needsName = broker.encryption != .none && !HostAddresses.isNumeric(broker.host)
    let family = address.contains(":") ? "::" : "0.0.0.0"
    try check(
      library.functions.connect_bind_async(
        client, needsName ? broker.host : address, Int32(broker.port), Self.keepAlive, needsName ? family : nil))
    let socket = library.functions.socket(client)
    do throws(SystemCallError) {
      io = try loop.io(socket, [.readable, .writable]) { [unowned self] in ready($0) }
    } catch {
      throw BrokerError("\(error)")
    }
    let timer = loop.timer { [unowned self] in rest() }
    self.timer = timer
    timer.arm(after: .seconds(10))
  }

  private func check(_ code: Int32) throws(BrokerError) {
    guard code == MOSQ_ERR_SUCCESS.rawValue else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> BrokerError {
    // The errors of TLS are in its messages alone.
    let isSystemError = code == MOSQ_ERR_ERRNO.rawValue && (errno != EPROTO || lastError == nil)
    return BrokerError(libraryText: isSystemError ? SystemCallError.text(of: errno) : lastError ?? library.text(of: code))
  }
}

// MARK: Working

extension BrokerSession {
  private func ready(_ events: IOEvents) {
    var code: Int32 = 0
    if events.contains(.writable) { code = library.functions.loop_write(client, 16) }
    if code == 0, !events.isDisjoint(with: [.readable, .hangUp, .error]) {
      TCPSocket.acknowledgeAtOnce(library.functions.socket(client))
      code = library.functions.loop_read(client, 16)
    }
    guard code == 0 else { return end(failure(code)) }
    if input.isExceeded(by: TCPSocket.receivedOctets(library.functions.socket(client))) {
      violation = "the broker sent a message of more than \(InputLimit.most >> 10) KiB"
    }
    if let violation { return end(BrokerError(violation)) }
    // libmosquitto reports no failure of a connection that is refused before its TLS handshake, and the descriptor would stay ready.
    if !hasSession, events.contains(.hangUp) {
      return end(BrokerError(libraryText: lastError ?? "the connection was refused, or ended before the login"))
    }
    refresh()
  }

  /// Runs timed work: keep-alive messages, and the time limits for their answers and for connecting.
  private func rest() {
    let code = library.functions.loop_misc(client)
    guard code == 0 else { return end(failure(code)) }
    guard hasSession else { return end(BrokerError("no answer within 10s")) }
    refresh()
    timer?.arm(after: .seconds(15))
  }

  private func refresh() {
    guard !isOver else { return }
    do throws(SystemCallError) {
      try io?.setInterest(library.functions.want_write(client) ? [.readable, .writable] : .readable)
    } catch {
      end(BrokerError("\(error)"))
    }
  }

  private func end(_ error: BrokerError) {
    guard !isOver else { return }
    isOver = true
    io?.cancel()
    timer?.disarm()
    onStep(.ended(error))
  }
}

// MARK: Callbacks of libmosquitto

extension BrokerSession {
  fileprivate func acknowledged(_ number: Int32) {
    input.finish()
    onStep(.acknowledged(number))
  }

  fileprivate func subscribed(_ number: Int32, isAccepted: Bool) {
    input.finish()
    // A broker may repeat its answer without end.
    guard number == subscription else { return }
    subscription = nil
    onStep(.subscribed(isAccepted: isAccepted))
  }

  fileprivate func received(_ octets: [UInt8]) {
    input.finish()
    onStep(.message(octets))
  }

  /// Processes the answer of the broker to the connection request.
  fileprivate func answered(_ code: Int32) {
    input.finish()
    guard !hasSession else {
      violation = "the broker answered the login twice"
      return
    }
    guard code == 0 else {
      lastError = library.functions.connack_string(code).map { String(cString: $0) }
      return
    }
    hasSession = true
    onStep(.connected)
  }
}

private func session(_ context: UnsafeMutableRawPointer?) -> BrokerSession? {
  context.map { Unmanaged<BrokerSession>.fromOpaque($0).takeUnretainedValue() }
}
