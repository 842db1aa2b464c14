import EventLoop

/// What the bus knows of those who call: asked once for each connection, since neither it nor its name ever comes back.
public final class PeerCredentials: BusClient {
  /// More are forgotten, all at once, and asked for again.
  private static let most = 512

  private weak var connection: DBusConnection?
  private var known: [String: BusCredentials] = [:]
  private var waiting: [String: [() -> Void]] = [:]

  public init(_ connection: DBusConnection) {
    self.connection = connection
    connection.add(self)
  }

  /// Nil while they are not known, and for a connection that is gone.
  public subscript(busName: String) -> BusCredentials? { known[busName] }

  /// True when they are known already. Otherwise the bus is asked, and `completion` called once it has answered, or refused to.
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

  /// Another bus gives the same names to others.
  func disconnected() {
    known = [:]
  }

  func receive(_ signal: DBusMessage) {}
}
