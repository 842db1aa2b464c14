public import Instants

/// Counts attempts to sign in, and refuses too many of a client or for a name.
///
/// The limit for a name is so much higher that one client alone cannot lock a person out. Memory is limited.
public struct AttemptLimits: Sendable {
  /// The maximum number of attempts of a client in `clientWindow`, and for a name in `nameWindow`.
  public static let (ofClient, clientWindow) = (5, Span.seconds(60))
  public static let (forName, nameWindow) = (100, Span.seconds(600))
  /// The maximum number of clients and names that are counted.
  ///
  /// More than these in a window are an attack of many machines. Then further clients count together, and further names are not counted:
  /// filling the table must not lock out every person.
  static let mostKeys = 10_000
  /// The key of further clients, and the maximum number of their attempts in `clientWindow`.
  static let (others, ofOthers) = ("others", 60)

  private var clients: [String: [Instant]] = [:]
  private var names: [String: [Instant]] = [:]

  public init() {}

  /// Counts an attempt, and returns whether it is allowed.
  ///
  /// - Parameter client: The network of a `ClientAddress`, or another text for clients that have none.
  public mutating func take(client: String, name: String, at now: Instant) -> Bool {
    let name = name.lowercased()
    let forName = Self.count(&names, name, Self.nameWindow, now)
    let (key, limit, ofClient) =
      if let count = Self.count(&clients, client, Self.clientWindow, now) {
        (client, Self.ofClient, count)
      } else {
        (Self.others, Self.ofOthers, clients[Self.others, default: []].count { now - $0 < Self.clientWindow })
      }
    guard ofClient < limit, forName ?? 0 < Self.forName else { return false }
    clients[key] = (clients[key] ?? []).filter { now - $0 < Self.clientWindow } + [now]
    if forName != nil { names[name, default: []].append(now) }
    return true
  }

  /// Takes back the last attempt of a client for a name, after a right password.
  public mutating func forgive(client: String, name: String) {
    for (table, key) in [(\AttemptLimits.clients, clients[client] == nil ? Self.others : client), (\.names, name.lowercased())] {
      _ = self[keyPath: table][key]?.popLast()
      if self[keyPath: table][key]?.isEmpty == true { self[keyPath: table][key] = nil }
    }
  }

  /// Returns the number of attempts of a key in the window before now; nil if the table is full of others.
  private static func count(_ table: inout [String: [Instant]], _ key: String, _ window: Span, _ now: Instant) -> Int? {
    if table[key] == nil, table.count >= mostKeys {
      table = table.filter { now - ($0.value.last ?? now) < window }
      guard table.count < mostKeys else { return nil }
    }
    guard let times = table[key]?.filter({ now - $0 < window }) else { return 0 }
    table[key] = times.isEmpty ? nil : times
    return times.count
  }
}
