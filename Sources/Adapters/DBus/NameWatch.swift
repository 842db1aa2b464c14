extension DBusConnection {
  /// Calls `handler` with the unique name that owns `name`, or nil if the name has no owner.
  /// The handler is called once as soon as the owner is known, then with every change, for as long as the watch is held. While the bus is
  /// lost, the name has no owner.
  public func watchName(_ name: String, handler: @escaping (String?) -> Void) -> NameWatch {
    NameWatch(connection: self, name: name, handler: handler)
  }
}

/// A watch for the owner of a bus name.
public final class NameWatch: BusClient {
  public let name: String
  public private(set) var owner: String?
  private weak var connection: DBusConnection?
  private let handler: (String?) -> Void
  private var isKnown = false
  private var changes: SignalSubscription?

  fileprivate init(connection: DBusConnection, name: String, handler: @escaping (String?) -> Void) {
    self.connection = connection
    self.name = name
    self.handler = handler
    let rule = MatchRule(sender: Bus.name, path: Bus.path, interface: Bus.name, member: "NameOwnerChanged", argument0: name)
    changes = connection.addMatch(rule) { [unowned self] signal in
      guard signal.signature == "sss", let owner = signal.arguments[2].string else { return }
      update(owner.isEmpty ? nil : owner)
    }
    connection.add(self)
  }

  /// Asks for the owner; the match was added before, so that no change is lost between the two.
  func connected() {
    connection?.callBus("GetNameOwner", [.string(name)]) { [weak self] reply in
      switch reply {
      case .success(let values): self?.update(values.first?.string)
      case .failure(let error):
        // Disconnected was reported already. A bus that took too long is asked again; any other error means that there is no owner.
        if error.isStandard("NoReply") { self?.connected() } else if !error.isStandard("Disconnected") { self?.update(nil) }
      }
    }
  }

  func disconnected() {
    update(nil)
  }

  func receive(_ signal: DBusMessage) {}

  private func update(_ new: String?) {
    guard !isKnown || owner != new else { return }
    isKnown = true
    owner = new
    handler(new)
  }
}
