/// The user behind a program on the bus, as the bus and the system's databases say.
public struct Person: Hashable, Sendable {
  public struct Group: Hashable, Sendable {
    public var number: UInt32
    /// Nil when the system knows none.
    public var name: String?

    public init(_ number: UInt32, name: String? = nil) {
      self.number = number
      self.name = name
    }
  }

  public var number: UInt32
  /// Nil when the system knows none.
  public var name: String?
  public var groups: [Group]

  public init(_ number: UInt32, name: String? = nil, groups: [Group] = []) {
    self.number = number
    self.name = name
    self.groups = groups
  }
}

/// Whom a decision is about. Numbers count: a name may be given to somebody else later.
public enum Subject: Hashable, Sendable {
  case user(UInt32)
  case group(UInt32)

  public func includes(_ person: Person) -> Bool {
    switch self {
    case .user(let number): person.number == number
    case .group(let number): person.groups.contains { $0.number == number }
    }
  }
}
