/// The users from whom a service keeps nothing secret: root, the user who runs it, and the members of its group.
public struct Insiders: Hashable, Sendable {
  private var subjects: Set<Subject>

  /// - Parameters:
  ///   - user: the user who runs the service.
  ///   - group: nil if the members of its group are not insiders, or while its group is unknown.
  public init(user: UInt32, group: UInt32? = nil) {
    subjects = [.user(0), .user(user)]
    if let group { insert(group: group) }
  }

  public mutating func insert(group: UInt32) { subjects.insert(.group(group)) }

  public func contains(_ person: Person) -> Bool { subjects.contains { $0.includes(person) } }

  /// Returns whether the caller of a service is an insider.
  ///
  /// - Parameters:
  ///   - user: nil for a caller that the bus knows no user of.
  ///   - groups: nil if they are unknown.
  public func contains(user: UInt32?, groups: [UInt32]?) -> Bool { contains(Person(user ?? .max, groups: groups ?? [])) }
}
