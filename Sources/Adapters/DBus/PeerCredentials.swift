import EventLoop

/// The bus's facts about callers, requested once for each connection; a unique name is never used again.
public final class PeerCredentials: BusClient {
  /// The maximum number of entries; when it is reached, all are dropped and requested again.
  private static let most = 512

  private weak var connection: DBusConnection?
  private var known: [String: BusCredentials] = [:]
  private var waiting: [String: [() -> Void]] = [:]

  public init(_ connection: DBusConnection) {
    self.connection = connection
    connection.add(self)
  }

  /// The credentials of a connection; nil while they are unknown, and for a connection that is gone.
  public subscript(busName: String) -> BusCredentials? { known[busName] }

  /// Returns true if the credentials are known already.
  /// Otherwise it asks the bus, and calls `completion` once the bus has answered or refused.
  public func find(_ busName: String, completion: @escaping () -> Void) -> Bool {
    guard known[busName] == nil else { return true }
    waiting[busName, default: []].append(completion)
    guard waiting[busName]?.count == 1, let connection else { return false }
    connection.credentials(of: busName) { [weak self] in self?.take($0, of: busName) }
    return false
  }

  private func take(_ result: Result<BusCredentials, DBusError>, of busName: String) {
    if case .success(let credentials) = result {
      if known.count >= Self.most { known = [:] }
      known[busName] = credentials
    }
    for completion in waiting.removeValue(forKey: busName) ?? [] { completion() }
  }

  func connected() {}

  /// Drops all entries, because another bus assigns the same names to other connections.
  func disconnected() {
    known = [:]
  }

  func receive(_ signal: DBusMessage) {}
}
