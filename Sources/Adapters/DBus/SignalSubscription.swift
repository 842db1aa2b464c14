extension DBusConnection {
  /// Calls `handler` with every signal that matches `rule`, across reconnections, for as long as the subscription is held.
  public func addMatch(_ rule: MatchRule, handler: @escaping (DBusMessage) -> Void) -> SignalSubscription {
    SignalSubscription(connection: self, rule: rule, handler: handler)
  }
}

/// A match rule at the bus, and the handler of its signals.
///
/// The bus delivers a signal once, whichever rule of this connection it matches, and any peer may send a signal directly. So each signal
/// is compared with the rule here again. For a well-known sender that requires its owner, and signals that come before the bus has
/// reported the owner are not delivered. The answer to a call made after `addMatch` comes later than that.
public final class SignalSubscription: BusClient {
  private weak var connection: DBusConnection?
  private let rule: MatchRule
  private let handler: (DBusMessage) -> Void
  private var sender: NameWatch?

  fileprivate init(connection: DBusConnection, rule: MatchRule, handler: @escaping (DBusMessage) -> Void) {
    self.connection = connection
    self.rule = rule
    self.handler = handler
    if let name = rule.sender, name != Bus.name, !BusSyntax.isUniqueName(name) {
      sender = connection.watchName(name) { _ in }
    }
    connection.add(self)
  }

  deinit {
    guard let connection, connection.uniqueName != nil else { return }
    connection.callBus("RemoveMatch", [.string(rule.text)]) { _ in
      // An error means that the bus has dropped the rule already.
    }
  }

  func connected() {
    connection?.callBus("AddMatch", [.string(rule.text)]) { [weak connection, rule] reply in
      guard case .failure(let error) = reply, !error.isStandard("Disconnected") else { return }
      connection?.onTrouble(DBusError(name: error.name, message: "the bus rejected the match \(rule.text): \(error.message)"))
    }
  }

  func disconnected() {}

  func receive(_ signal: DBusMessage) {
    if let expected = rule.sender, signal.sender != (sender.map(\.owner) ?? expected) { return }
    if rule.matches(signal) { handler(signal) }
  }
}
