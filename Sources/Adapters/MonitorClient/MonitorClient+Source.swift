import DBus
import MonitorProtocol
import Scheduling

extension MonitorClient {
  /// Calls `handler` with the state of the daemon's source of beacons, and at each change, while the returned watch is held.
  ///
  /// The state is a name of `Manager.SourceState`, and nil while the daemon does not run, and for a user who is not an insider.
  public func watchSource(_ handler: @escaping (String?) -> Void) -> SourceWatch { SourceWatch(connection, handler) }
}

/// A watch for the state of the daemon's source of beacons.
public final class SourceWatch {
  private let connection: DBusConnection
  private let handler: (String?) -> Void
  private let answers = StaleAnswerFilter()
  private var changes: SignalSubscription?
  private var presence: NameWatch?

  fileprivate init(_ connection: DBusConnection, _ handler: @escaping (String?) -> Void) {
    self.connection = connection
    self.handler = handler
    let rule = MatchRule(
      sender: MonitorNames.bus, path: MonitorNames.root, interface: StandardName.properties, member: "PropertiesChanged",
      argument0: MonitorNames.manager)
    changes = connection.addMatch(rule) { [unowned self] in changed($0) }
    presence = connection.watchName(MonitorNames.bus) { [unowned self] owner in
      answers.renew()
      if owner == nil { self.handler(nil) } else { request() }
    }
  }

  private func changed(_ signal: DBusMessage) {
    guard signal.signature == "sa{sv}as" else { return }
    if let state = signal.arguments[1]["SourceState"]?.string {
      answers.renew()
      handler(state)
    } else if signal.arguments[2].strings?.contains("SourceState") == true {
      request()
    }
  }

  private func request() {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: StandardName.properties, member: "Get",
      [.string(MonitorNames.manager), .string("SourceState")],
      completion: answers.current { [unowned self] reply in
        if case .success(let values) = reply { handler(values.first?.string) } else { handler(nil) }
      })
  }
}
