extension DBusConnection {
  /// Asks for a well-known name without queueing for it, on every new connection again, and gives it back when the object is released.
  /// `handler` hears what came of it each time.
  public func requestName(_ name: String, handler: @escaping (OwnedName.State) -> Void) -> OwnedName {
    OwnedName(connection: self, name: name, handler: handler)
  }
}

/// A well-known name that is ours, or should be.
public final class OwnedName: BusClient {
  public enum State: Hashable, Sendable {
    case owned
    /// Somebody else has it: by unique name, nil when they left in the meantime.
    case taken(by: String?)
    /// It was ours and is not any more, because the bus is gone or gave it away.
    case lost
    /// The bus does not let us have it: its policy, or no valid name.
    case refused(DBusError)
  }

  public let name: String
  public private(set) var state: State?
  private weak var connection: DBusConnection?
  private let handler: (State) -> Void

  fileprivate init(connection: DBusConnection, name: String, handler: @escaping (State) -> Void) {
    self.connection = connection
    self.name = name
    self.handler = handler
    connection.add(self)
  }

  deinit {
    guard state == .owned, let connection else { return }
    connection.callBus("ReleaseName", [.string(name)]) { _ in
      // Not owning it any more is what was asked for.
    }
  }

  func connected() {
    let doNotQueue: UInt32 = 4
    connection?.callBus("RequestName", [.string(name), .uint32(doNotQueue)]) { [weak self] in self?.receiveAnswer($0) }
  }

  func disconnected() {
    if state == .owned { become(.lost) }
  }

  /// NameLost is sent to its owner without any match.
  func receive(_ signal: DBusMessage) {
    guard state == .owned, signal.sender == Bus.name, signal.member == "NameLost", signal.arguments.first?.string == name else { return }
    become(.lost)
  }

  private func receiveAnswer(_ reply: Result<[DBusValue], DBusError>) {
    switch reply {
    case .success(let values):
      // DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER and _ALREADY_OWNER; with "do not queue" the only other answer is _EXISTS.
      if let code: Int = values.first?.integer(), code == 1 || code == 4 { return become(.owned) }
      connection?.callBus("GetNameOwner", [.string(name)]) { [weak self] owner in
        guard case .success(let values) = owner else { self?.become(.taken(by: nil)); return }
        self?.become(.taken(by: values.first?.string))
      }
    case .failure(let error):
      if !error.isStandard("Disconnected") { become(.refused(error)) }
    }
  }

  private func become(_ new: State) {
    state = new
    handler(new)
  }
}
