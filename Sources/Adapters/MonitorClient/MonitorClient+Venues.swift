import DBus
import Instants
import MonitorProtocol

extension MonitorClient {
  /// Forgets the learned offsets of receivers, and completes with their number.
  ///
  /// - Parameters:
  ///   - venue: the id of the venue; nil for all.
  ///   - adapter: the address of the adapter; nil for all.
  public func resetLearning(venue: String?, adapter: String?, _ completion: @escaping (Result<Int, DBusError>) -> Void) {
    let options = [("venue", venue), ("adapter", adapter)].compactMap { key, value in value.map { (key, DBusValue.string($0)) } }
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.venue, member: "ResetLearning", [.options(options)],
      // polkit may have to ask an administrator.
      timeout: .seconds(300)
    ) { completion($0.map { $0.first?.integer() ?? 0 }) }
  }
}
