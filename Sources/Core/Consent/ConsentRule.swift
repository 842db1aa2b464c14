/// A rule of the config about some users. It uses names, so that the same config serves many devices.
public struct ConsentRule: Hashable, Sendable {
  public enum Who: Hashable, Sendable {
    case everyone
    /// The name or the number of a user.
    case user(String)
    case group(String)
  }

  public var who: Who
  /// The authorization, which may be denied.
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
