/// Who asked for a region. An identifier names one region of its owner; others may use the same.
public struct RegionOwner: Hashable, Sendable {
  // Four octets lie idle in a region anyway.
  private let number: UInt32

  public static let config = RegionOwner(number: 0)

  /// - Parameter number: from 1, of one session at a time.
  public static func session(_ number: UInt32) -> RegionOwner { RegionOwner(number: number) }
}

/// What names a region among all.
struct RegionKey: Hashable, Sendable {
  let identifier: String
  let owner: RegionOwner
}
