public import Instants

/// Counts attempts to sign in, and refuses too many of a client or for a name.
///
/// The limit for a name is so much higher that one client alone cannot lock a person out. Memory is limited.
public struct AttemptLimits: Sendable {
  /// The most attempts of a client in `clientWindow`, and for a name in `nameWindow`.
  public static let (ofClient, clientWindow) = (5, Span.seconds(60))
  public static let (forName, nameWindow) = (100, Span.seconds(600))
  /// The most clients and names that are counted. More than these in a window are an attack of many machines. Then further clients are refused,
  /// and further names are not counted: filling the table must not lock out every person.
  static let mostKeys = 10_000

  private var clients: [String: [Instant]] = [:]
  private var names: [String: [Instant]] = [:]

  public init() {}

  /// Counts an attempt, and returns whether it is allowed.
  ///
  /// - Parameter client: A numeric address. All addresses of a network of IPv6 count together, because a client has 2^64 of them.
  public mutating func take(client: String, name: String, at now: Instant) -> Bool {
    let (client, name) = (Self.network(of: client), name.lowercased())
    let (ofClient, forName) = (
      Self.count(&clients, client, Self.clientWindow, now) ?? Self.ofClient, Self.count(&names, name, Self.nameWindow, now)
    )
    guard ofClient < Self.ofClient, forName ?? 0 < Self.forName else { return false }
    clients[client, default: []].append(now)
    if forName != nil { names[name, default: []].append(now) }
    return true
  }

  /// Takes back the last attempt of a client for a name, after a right password.
  public mutating func forgive(client: String, name: String) {
    for (table, key) in [(\AttemptLimits.clients, Self.network(of: client)), (\.names, name.lowercased())] {
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

  /// Returns the first four groups of an address of IPv6, or any other text as it is.
  static func network(of client: String) -> String {
    guard client.contains(":") else { return client }
    let halves = client.lowercased().split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false).map { $0.split(separator: ":") }
    let head = halves.first ?? []
    guard halves.count == 2 else { return head.prefix(4).joined(separator: ":") }
    let zeros = max(0, 8 - head.count - halves[1].count)
    return (head + Array(repeating: "0", count: zeros) + halves[1]).prefix(4).joined(separator: ":")
  }
}
