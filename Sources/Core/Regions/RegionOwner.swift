/// Who asked for a region. An identifier names one region of its owner; others may use the same.
public struct RegionOwner: Hashable, Sendable {
  private let number: UInt64

  public static let config = RegionOwner(number: 0)

  /// - Parameter number: from 1, never used twice.
  public static func session(_ number: UInt64) -> RegionOwner { RegionOwner(number: number) }
}

/// What names a region among all.
struct RegionKey: Hashable, Sendable {
  let identifier: String
  let owner: RegionOwner
}

extension BeaconRegion {
  var key: RegionKey { RegionKey(identifier: identifier, owner: owner) }
}
