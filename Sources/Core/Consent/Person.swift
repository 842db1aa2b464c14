/// The user behind a program on the bus, according to the bus and the system's databases.
public struct Person: Hashable, Sendable {
  public var number: UInt32
  /// The numbers of the groups.
  public var groups: [UInt32]

  public init(_ number: UInt32, groups: [UInt32] = []) {
    self.number = number
    self.groups = groups
  }
}

/// The user or group of a decision. It uses numbers, because another user may get the name later.
public enum Subject: Hashable, Sendable {
  case user(UInt32)
  case group(UInt32)

  public func includes(_ person: Person) -> Bool {
    switch self {
    case .user(let number): person.number == number
    case .group(let number): person.groups.contains(number)
    }
  }
}

// MARK: Stored and sent forms

extension Subject {
  /// The words for subjects in the file of decisions and on the bus.
  public enum Kind: String, Sendable, CaseIterable {
    case user
    case group
  }

  public init(kind: Kind, number: UInt32) {
    switch kind {
    case .user: self = .user(number)
    case .group: self = .group(number)
    }
  }

  public var kind: Kind {
    switch self {
    case .user: .user
    case .group: .group
    }
  }

  public var number: UInt32 {
    switch self {
    case .user(let number), .group(let number): number
    }
  }
}
