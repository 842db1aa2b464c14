/// The session, app or config that requested a region.
/// An identifier names one region of its owner; other owners may use the same identifier.
public struct RegionOwner: Hashable, Sendable {
  // A region has four unused octets anyway.
  private let number: UInt32

  public static let config = RegionOwner(number: 0)

  /// Returns the owner for a session.
  ///
  /// - Parameter number: from 1 to `lastSession`; only one session at a time has it.
  public static func session(_ number: UInt32) -> RegionOwner { RegionOwner(number: number) }

  public static let lastSession = UInt32.max >> 1

  /// Returns the owner for all apps of a user, whose events share one sequence. It owns no region.
  ///
  /// - Parameter user: below `mostUsers`; only one user at a time has it.
  public static func user(_ user: UInt16) -> RegionOwner { RegionOwner(number: ~lastSession | UInt32(user) << 16) }

  public static let mostUsers: UInt16 = 1 << 15

  /// Returns the owner for an app whose regions outlive its sessions.
  ///
  /// - Parameter app: from 1; only one of the user's apps at a time has it.
  public static func app(_ app: UInt16, of user: UInt16) -> RegionOwner { RegionOwner(number: RegionOwner.user(user).number | UInt32(app)) }

  /// The user of an app or of a user's sequence; `nil` for any other owner.
  public var user: UInt16? { number > Self.lastSession ? UInt16(number >> 16) & (Self.mostUsers - 1) : nil }

  /// The owner whose sequence numbers the events: the user for an app, otherwise the owner itself.
  public var row: RegionOwner { user.map { .user($0) } ?? self }
}

/// The unique name of a region: its identifier and its owner.
struct RegionKey: Hashable, Sendable {
  let identifier: String
  let owner: RegionOwner
}
