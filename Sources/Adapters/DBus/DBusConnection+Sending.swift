import EventLoop
import Instants

extension DBusConnection {
  /// Calls a method; `completion` is called exactly once and never from inside this call.
  public func call(
    destination: String, path: String, interface: String, member: String, _ arguments: [DBusValue] = [],
    timeout: Span = .seconds(25), completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    do {
      let link = try openLink()
      let message = try DBusMessage.call(destination: destination, path: path, interface: interface, member: member, arguments)
      link.call(message, timeout: timeout) { completion($0.map(\.arguments)) }
    } catch {
      loop.enqueue { completion(.failure(error)) }
    }
  }

  /// Sends a signal to `destination` alone, or to every subscriber if that is nil.
  /// It throws while the connection is down, because the signal would be lost.
  public func emit(
    path: String, interface: String, member: String, _ arguments: [DBusValue] = [], to destination: String? = nil
  ) throws(DBusError) {
    _ = try openLink()
    try send(try .signal(path: path, interface: interface, member: member, arguments, to: destination))
  }

  func send(_ message: DBusMessage) throws(DBusError) {
    try openLink().send(message)
    noteCongestion()  // At once: the next write may already bring a queue that is just congested below the threshold.
  }

  /// Calls a method of the bus itself.
  func callBus(_ member: String, _ arguments: [DBusValue], completion: @escaping (Result<[DBusValue], DBusError>) -> Void) {
    call(destination: Bus.name, path: Bus.path, interface: Bus.name, member: member, arguments, completion: completion)
  }

  private func openLink() throws(DBusError) -> BusLink {
    guard let link, uniqueName != nil else {
      if case .disconnected(let reason) = state { throw reason }
      throw .disconnected("not connected to the bus at \(address) yet")
    }
    guard link.outgoingSize <= Self.outgoingLimit else {
      throw .limitsExceeded("the bus does not accept messages; \(link.outgoingSize / 1024) KiB are queued")
    }
    return link
  }
}

/// The bus's facts about the process behind a unique name; they come from the kernel, not from the process.
public struct BusCredentials: Hashable, Sendable {
  public var userID: UInt32?
  /// The primary group and the others; nil if the bus does not report them.
  public var groupIDs: [UInt32]?
  /// The process number; another process may have it by the time of use.
  public var processID: UInt32?

  public init(userID: UInt32? = nil, groupIDs: [UInt32]? = nil, processID: UInt32? = nil) {
    (self.userID, self.groupIDs, self.processID) = (userID, groupIDs, processID)
  }
}

extension DBusConnection {
  public func credentials(of busName: String, completion: @escaping (Result<BusCredentials, DBusError>) -> Void) {
    callBus("GetConnectionCredentials", [.string(busName)]) { reply in
      completion(
        reply.map { values in
          let facts = values.first
          return BusCredentials(
            userID: facts?["UnixUserID"]?.integer(), groupIDs: facts?["UnixGroupIDs"]?.elements?.compactMap { $0.integer() },
            processID: facts?["ProcessID"]?.integer())
        })
    }
  }
}
