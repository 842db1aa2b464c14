import DBus
import Instants
import MonitorProtocol

// Daemons of versions without the names of places refuse the option `locale` as unknown. Clients must still work with them.

extension DBusConnection {
  /// Calls a method of the daemon, and again without the option `locale` if an older daemon refuses the options.
  func callDaemon(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue], timeout: Span = .seconds(25),
    completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    let plain = arguments.map(\.withoutLocale)
    call(destination: MonitorNames.bus, path: path, interface: interface, member: member, arguments, timeout: timeout) {
      [weak self] reply in
      guard case .failure(let error) = reply, error.monitorError == .invalidOptions, plain != arguments, let self else {
        return completion(reply)
      }
      call(
        destination: MonitorNames.bus, path: path, interface: interface, member: member, plain, timeout: timeout, completion: completion)
    }
  }
}

extension DBusValue {
  fileprivate var withoutLocale: DBusValue {
    guard case .dictionary(let key, let value, let entries) = self, self["locale"] != nil else { return self }
    return .dictionary(key: key, value: value, entries.filter { $0.key.string != "locale" })
  }
}
