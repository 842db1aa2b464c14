extension DBusConnection {
  /// Calls `handler` with every signal that agrees with `rule`, for as long as the subscription is held, over all reconnections.
  public func addMatch(_ rule: MatchRule, handler: @escaping (DBusMessage) -> Void) -> SignalSubscription {
    SignalSubscription(connection: self, rule: rule, handler: handler)
  }
}

/// A match rule at the bus and what to do with the signals it lets through.
///
/// The bus delivers a signal once, whichever of our rules let it through, and anybody may send us a signal directly: so each is compared
/// with the rule here again. For a well-known sender that means knowing its owner, and signals that come before the bus has told it are
/// not delivered; a call made after `addMatch` is answered later than that.
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
      // An error means that the bus has forgotten the rule already.
    }
  }

  func connected() {
    connection?.callBus("AddMatch", [.string(rule.text)]) { [weak connection, rule] reply in
      guard case .failure(let error) = reply, !error.isStandard("Disconnected") else { return }
      connection?.onTrouble(DBusError(name: error.name, message: "the bus refuses the match \(rule.text): \(error.message)"))
    }
  }

  func disconnected() {}

  func receive(_ signal: DBusMessage) {
    if let expected = rule.sender, signal.sender != (sender.map(\.owner) ?? expected) { return }
    if rule.matches(signal) { handler(signal) }
  }
}
