import Instants

/// A decision about a user or a group.
public struct Decision: Hashable, Sendable {
  public enum Author: Hashable, Sendable {
    /// A user with the rights of an administrator, by user number.
    case administrator(UInt32)
    /// The user, as asked by polkit.
    case polkit
  }

  public var authorization: Authorization
  public var author: Author
  /// When the decision was made, since the Unix epoch.
  public var time: Instant

  public init(_ authorization: Authorization, by author: Author, at time: Instant) {
    self.authorization = authorization
    self.author = author
    self.time = time
  }
}
