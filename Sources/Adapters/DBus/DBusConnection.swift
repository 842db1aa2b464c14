internal import CDBus
import EventLoop
import Instants

/// A connection to a bus that never blocks its loop, and that reconnects when the bus returns.
///
/// Matches, names and watched names are restored after each reconnection, for as long as their objects are held. Calls are not: a call
/// that is pending when the bus goes fails with Disconnected.
public final class DBusConnection {
  public enum Persistence: Sendable {
    /// Retries 100 ms to 2 s after each failure, without end.
    case reconnecting
    /// Gives up at the first failure or the first loss.
    case once
  }

  public enum State: Hashable, Sendable {
    case connecting
    case connected(uniqueName: String)
    /// The connection is down, with a reason that names the address and the system's error.
    case disconnected(DBusError)
  }

  /// The queue size, in octets, above which the connection is congested; a heavy sender should then wait for `onDrained`.
  public static let congestionThreshold = 256 * 1024
  /// The queue size, in octets, above which only replies are accepted, so that a hanging bus does not fill the memory.
  static let outgoingLimit = 16 * 1024 * 1024

  public let loop: Loop
  /// The address in the D-Bus specification's syntax.
  public let address: String
  public private(set) var state = State.connecting
  /// Runs after each change of `state`, and not before the loop runs.
  public var onStateChange: (State) -> Void = { _ in }
  /// Receives errors that are not the outcome of a call, such as a match that the bus refused.
  public var onTrouble: (DBusError) -> Void = { _ in }
  /// Runs once a congested outgoing queue is nearly empty, or is lost with the bus.
  public var onDrained: () -> Void = {}

  /// The action after an answer with a container of many elements, such as all events.
  public var onLargeAnswer: () -> Void = {}

  /// Whether messages may wait a little for more, on a connection with dense traffic: see `ReadPacing`.
  public var gathersMessages = false {
    didSet { link?.gathersMessages = gathersMessages }
  }

  /// Receives every method call; returns whether it will be answered.
  var onCall: (DBusMessage) -> Bool = { _ in false }

  /// The number of times that messages were sent or received.
  public private(set) var activityCount: UInt64 = 0
  private(set) var link: BusLink?
  private var persistence: Persistence
  private var backoff = Backoff()
  private var isCongested = false
  private var registrations: [Registration] = []
  private lazy var attempt = loop.timer { [unowned self] in open() }

  private struct Registration {
    weak var client: (any BusClient)?
  }

  /// Starts to connect once the loop runs.
  /// It throws if there is no address to try, such as a session bus outside of a session.
  public init(
    loop: Loop, address: BusAddress, persistence: Persistence = .reconnecting,
    environment: [String: String] = ChildCommand.ownEnvironment()
  ) throws(DBusError) {
    self.loop = loop
    self.persistence = persistence
    self.address = try address.resolved(environment: environment)
    attempt.arm(after: .zero)
  }

  deinit {
    link?.close(Self.closed)
  }

  private static let closed = DBusError.disconnected("the connection was closed")

  /// The unique name of this connection; nil while the connection is down.
  public var uniqueName: String? {
    if case .connected(let name) = state { name } else { nil }
  }

  /// The octets that wait to be sent.
  public var outgoingSize: Int { link?.outgoingSize ?? 0 }

  /// Blocks the loop until everything is sent or `limit` has passed, for the last signals of a program that ends.
  public func flush(within limit: Span) {
    link?.flush(until: loop.now + limit)
  }

  /// Closes the connection for good: it does not reconnect, and pending calls fail.
  public func close() {
    persistence = .once
    attempt.disarm()
    if link != nil { lose(Self.closed) }
  }

  // MARK: - Connecting

  private func open() {
    do {
      let link = try BusLink(loop: loop, address: try BusSocket.firstReachable(in: address))
      self.link = link
      link.gathersMessages = gathersMessages
      link.onMessage = { [weak self] in self?.receive($0) ?? false }
      link.onLost = { [weak self] in self?.lose(.disconnected("the bus at \(self?.address ?? "") closed the connection")) }
      link.onActivity = { [weak self] in self?.noteProgress() }
      link.onLargeAnswer = { [weak self] in self?.onLargeAnswer() }
      state = .connecting
      let hello = try DBusMessage.call(destination: Bus.name, path: Bus.path, interface: Bus.name, member: "Hello")
      link.call(hello, timeout: .seconds(2)) { [weak self] in self?.greet($0) }
    } catch {
      lose(error)
    }
  }

  private func greet(_ reply: Result<DBusMessage, DBusError>) {
    switch reply {
    case .success(let message):
      guard let name = message.arguments.first?.string, let link else { return lose(.inconsistentMessage("the bus sent no name")) }
      link.adopt(uniqueName: name)
      backoff.reset()
      state = .connected(uniqueName: name)
      forEachClient { $0.connected() }
      onStateChange(state)
    case .failure(let error):
      lose(DBusError(name: error.name, message: "the bus at \(address) does not respond: \(error.message)"))
    }
  }

  private func lose(_ reason: DBusError) {
    let hadBus = uniqueName != nil
    link?.close(reason)
    link = nil
    let wasCongested = isCongested
    isCongested = false
    state = .disconnected(reason)
    if persistence == .reconnecting { attempt.arm(after: &backoff) }
    if hadBus { forEachClient { $0.disconnected() } }
    onStateChange(state)
    // The queue is lost, so a sender need not wait for it any more.
    if wasCongested { onDrained() }
  }

  // MARK: - Receiving

  private func receive(_ message: DBusMessage) -> Bool {
    switch message.kind {
    case .call:
      return onCall(message)
    case .signal:
      forEachClient { $0.receive(message) }
      return false
    case .reply, .error:
      return false
    }
  }

  func noteCongestion() {
    if outgoingSize > Self.congestionThreshold { isCongested = true }
  }

  private func noteProgress() {
    activityCount &+= 1
    noteCongestion()
    guard isCongested, outgoingSize < Self.congestionThreshold / 4 else { return }
    isCongested = false
    onDrained()
  }

  // MARK: - Clients

  /// Adds a client; clients connect in this order, so that a match is in place before the calls that depend on it.
  func add(_ client: any BusClient) {
    registrations.removeAll { $0.client == nil }
    registrations.append(Registration(client: client))
    if uniqueName != nil { client.connected() }
  }

  private func forEachClient(_ body: (any BusClient) -> Void) {
    for registration in registrations {
      if let client = registration.client { body(client) }
    }
  }
}

/// A client that is set up again on every new connection.
protocol BusClient: AnyObject {
  func connected()
  func disconnected()
  func receive(_ signal: DBusMessage)
}

/// The names of the bus itself as a peer.
enum Bus {
  static let name = "org.freedesktop.DBus"
  static let path = "/org/freedesktop/DBus"
}

/// Finds the first of a list of addresses that accepts connections.
///
/// libdbus connects with a blocking socket, which waits for ever when the bus is frozen and its backlog full. So each address is tried
/// first with a separate non-blocking connection, and libdbus only gets one that answered. Unix sockets only: looking up a host or
/// starting a helper would block.
enum BusSocket {
  /// Returns one entry of the list, in libdbus' syntax.
  static func firstReachable(in list: String) throws(DBusError) -> String {
    var reasons: [String] = []
    // An escaped semicolon is %3b, so the separators are the plain ones.
    for entry in list.split(separator: ";").map(String.init) {
      let path = try socketPath(of: entry)
      do throws(SystemCallError) {
        _ = try LocalSocket.connect(to: path)
        return entry
      } catch {
        reasons.append("\(entry): \(SystemCallError.text(of: error.code))")
      }
    }
    guard !reasons.isEmpty else { throw .badAddress("the bus address is empty") }
    throw .noServer("cannot connect to the bus at \(reasons.joined(separator: "; "))")
  }

  /// The octets of sun_path; an abstract socket's begin with NUL.
  static func socketPath(of entry: String) throws(DBusError) -> [UInt8] {
    var entries: UnsafeMutablePointer<OpaquePointer?>?
    var count: Int32 = 0
    let (isValid, error) = withCError { error in entry.withCString { dbus_parse_address($0, &entries, &count, error) } }
    guard isValid != 0, let entries, count == 1, let parsed = entries[0] else {
      throw .badAddress("\"\(entry)\" is not a bus address: \(error?.message ?? "it has no transport"); write unix:path=…")
    }
    defer { dbus_address_entries_free(entries) }
    let method = dbus_address_entry_get_method(parsed).map { String(cString: $0) } ?? ""
    guard method == "unix" else {
      throw .badAddress("\"\(entry)\": \(method) is not supported; write unix:path=…")
    }
    if let path = dbus_address_entry_get_value(parsed, "path") { return Array(String(cString: path).utf8) }
    if let name = dbus_address_entry_get_value(parsed, "abstract") { return [0] + String(cString: name).utf8 }
    throw .badAddress("\"\(entry)\" has no socket; write unix:path=… or unix:abstract=…")
  }
}
