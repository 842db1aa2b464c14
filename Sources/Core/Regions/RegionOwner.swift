/// Who asked for a region. An identifier names one region of its owner; others may use the same.
public struct RegionOwner: Hashable, Sendable {
  // Four octets lie idle in a region anyway.
  private let number: UInt32

  public static let config = RegionOwner(number: 0)

  /// - Parameter number: from 1 to `lastSession`, of one session at a time.
  public static func session(_ number: UInt32) -> RegionOwner { RegionOwner(number: number) }

  public static let lastSession = UInt32.max >> 1

  /// All apps of a user, whose events have their numbers in common. Owns no region.
  ///
  /// - Parameter user: below `mostUsers`, of one user at a time.
  public static func user(_ user: UInt16) -> RegionOwner { RegionOwner(number: ~lastSession | UInt32(user) << 16) }

  public static let mostUsers: UInt16 = 1 << 15

  /// An app whose regions outlive its sessions.
  ///
  /// - Parameter app: from 1, of one of the user's apps at a time.
  public static func app(_ app: UInt16, of user: UInt16) -> RegionOwner { RegionOwner(number: RegionOwner.user(user).number | UInt32(app)) }

  /// The user of an app, and of a user; nil for any other owner.
  public var user: UInt16? { number > Self.lastSession ? UInt16(number >> 16) & (Self.mostUsers - 1) : nil }

  /// Those whose events are numbered in one row.
  public var row: RegionOwner { user.map { .user($0) } ?? self }
}

/// What names a region among all.
struct RegionKey: Hashable, Sendable {
  let identifier: String
  let owner: RegionOwner
}
