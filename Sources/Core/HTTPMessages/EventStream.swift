/// A stream of server-sent events to one client (HTML standard, 9.2).
///
/// A client that does not read loses its connection: the octets that wait for it are limited.
public final class EventStream {
  /// The maximum number of octets that wait for a client.
  public static let mostPending = 256 * 1024

  /// Runs once, after the client has left or was dropped.
  public var onEnd: () -> Void = {}
  /// Runs when the server has to read again. The server sets it.
  public var onChange: () -> Void = {}
  /// The octets that were not sent yet.
  private var pending: [UInt8] = []
  /// Whether no more events are sent.
  public private(set) var isEnded = false

  public init() {}

  /// The number of octets that were not sent yet.
  public var pendingCount: Int { pending.count }

  /// Sends an event with its data, which may have several lines.
  ///
  /// - Parameter id: the value that the client sends as `Last-Event-ID` when it connects again.
  public func send(event: String, id: String? = nil, data: String) {
    guard !isEnded else { return }
    pending += "event: \(event)\n".utf8
    if let id { pending += "id: \(id)\n".utf8 }
    // Only these two octets end a line for the client.
    for line in data.utf8.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      pending += "data: ".utf8
      pending += line
      pending.append(0x0A)
    }
    pending.append(0x0A)
    if pending.count > Self.mostPending {
      pending = []
      isEnded = true
    }
    onChange()
  }

  /// Closes the connection after the octets that wait.
  public func end() {
    guard !isEnded else { return }
    isEnded = true
    onChange()
  }

  /// Returns up to this number of octets, and removes them.
  public func take(_ most: Int) -> ArraySlice<UInt8> {
    let taken = pending.prefix(most)
    pending.removeFirst(taken.count)
    return taken
  }
}
