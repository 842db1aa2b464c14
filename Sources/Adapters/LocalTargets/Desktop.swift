import DBus
import EventLoop

/// The session bus of a user, on which notifications are shown and applications are woken.
public final class Desktop {
  private let loop: Loop
  private let address: BusAddress
  private var connection: DBusConnection?
  private var waiting: [Call] = []
  private var awaited: [String: (watch: NameWatch, bodies: [() -> Void])] = [:]

  struct Call {
    let destination: String
    let path: String
    let interface: String
    let member: String
    let arguments: [DBusValue]
    /// Receives the outcome, later and from the loop.
    let completion: (Result<[DBusValue], DBusError>) -> Void
  }

  /// The signals that are received while there is a connection, and their handler. Set this before the first call.
  var onSignal: (rule: MatchRule, handler: (DBusMessage) -> Void)?
  private var signals: SignalSubscription?
  /// A name, and the handler for each change of its owner and for a loss of the bus. Set this before the first call.
  var onOwnerChange: (name: String, handler: () -> Void)?
  private var ownerWatch: NameWatch?

  /// Creates a desktop that connects with the first call, because a device without a screen has no session bus.
  public init(_ loop: Loop, address: BusAddress) {
    self.loop = loop
    self.address = address
  }

  /// Calls a method. `completion` is called later from the loop.
  func call(
    to destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    make(
      Call(
        destination: destination, path: path, interface: interface, member: member, arguments: arguments, completion: completion))
  }

  func make(_ call: Call) {
    if let connection, connection.uniqueName != nil {
      send(call, on: connection)
    } else {
      waiting.append(call)
      connect()
    }
  }

  /// Calls `body` once from the loop when `name` has an owner; never if the bus is lost before.
  func awaitName(_ name: String, _ body: @escaping () -> Void) {
    guard let connection, connection.uniqueName != nil else { return }
    if awaited[name] != nil {
      awaited[name]?.bodies.append(body)
      return
    }
    let watch = connection.watchName(name) { [weak self] owner in
      // Called later, because the callback of the watch still uses it.
      if owner != nil { self?.loop.enqueue { self?.appeared(name) } }
    }
    awaited[name] = (watch, [body])
  }

  private func appeared(_ name: String) {
    for body in awaited.removeValue(forKey: name)?.bodies ?? [] { body() }
  }

  private func connect() {
    guard connection == nil else { return }
    do throws(DBusError) {
      let connection = try DBusConnection(loop: loop, address: address, persistence: .once)
      connection.onStateChange = { [unowned self] in connectionChanged($0) }
      self.connection = connection
      signals = onSignal.map { connection.addMatch($0.rule, handler: $0.handler) }
      ownerWatch = onOwnerChange.map { name, handler in connection.watchName(name) { _ in handler() } }
    } catch {
      drop(error)
    }
  }

  private func connectionChanged(_ state: DBusConnection.State) {
    switch state {
    case .connecting: break
    case .connected:
      guard let connection else { return }
      for call in waiting { send(call, on: connection) }
      waiting = []
    case .disconnected(let reason):
      drop(reason)
      // The next call connects again. Released later, because the callback of the connection still uses it.
      let lost = (connection, awaited, signals, ownerWatch)
      (connection, awaited, signals, ownerWatch) = (nil, [:], nil, nil)
      onOwnerChange?.handler()
      loop.enqueue { _ = lost }
    }
  }

  private func drop(_ reason: DBusError) {
    let dropped = waiting
    waiting = []
    loop.enqueue { for call in dropped { call.completion(.failure(reason)) } }
  }

  private func send(_ call: Call, on connection: DBusConnection) {
    connection.call(
      destination: call.destination, path: call.path, interface: call.interface, member: call.member, call.arguments
    ) { call.completion($0) }
  }
}

extension Result {
  /// The error; `nil` for a success.
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
