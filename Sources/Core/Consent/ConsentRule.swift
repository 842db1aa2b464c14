/// What the config says of some users. By name, so that the same config serves many devices.
public struct ConsentRule: Hashable, Sendable {
  public enum Who: Hashable, Sendable {
    case everyone
    /// A name or a number.
    case user(String)
    case group(String)
  }

  public var who: Who
  /// Denied, or how far.
  public var authorization: Authorization

  public init(_ who: Who, _ authorization: Authorization) {
    self.who = who
    self.authorization = authorization
  }

  public func applies(to person: Person) -> Bool {
    switch who {
    case .everyone: true
    case .user(let name): person.name == name || String(person.number) == name
    case .group(let name): person.groups.contains { $0.name == name || String($0.number) == name }
    }
  }
}
