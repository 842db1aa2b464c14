extension DBusConnection {
  /// Requests a well-known name without queueing for it, on every new connection, and releases it with the object.
  /// `handler` gets each outcome.
  public func requestName(_ name: String, handler: @escaping (OwnedName.State) -> Void) -> OwnedName {
    OwnedName(connection: self, name: name, handler: handler)
  }
}

/// A well-known name that this connection owns or requests.
public final class OwnedName: BusClient {
  public enum State: Hashable, Sendable {
    case owned
    /// Another connection owns the name: its unique name, or nil if that has left in the meantime.
    case taken(by: String?)
    /// The name was owned and is lost, because the bus is gone or gave it away.
    case lost
    /// The bus refuses the name, by its policy or because the name is invalid.
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
      // Any answer means that the name is not owned any more.
    }
  }

  func connected() {
    let doNotQueue: UInt32 = 4
    connection?.callBus("RequestName", [.string(name), .uint32(doNotQueue)]) { [weak self] in self?.receiveAnswer($0) }
  }

  func disconnected() {
    if state == .owned { become(.lost) }
  }

  /// Takes NameLost, which the bus sends to the owner without any match.
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
