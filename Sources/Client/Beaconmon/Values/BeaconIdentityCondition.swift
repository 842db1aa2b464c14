import FoundationEssentials

/// A selection of beacons: all of a UUID, those of one major, or a single one.
///
/// Core Location's CLBeaconIdentityConstraint and CLBeaconIdentityCondition.
public struct BeaconIdentityCondition: Condition {
  public let uuid: UUID
  public let major: UInt16?
  /// The minor, which requires a major: minors of different majors are unrelated. Nil for all minors.
  public let minor: UInt16?

  public init(uuid: UUID) {
    (self.uuid, major, minor) = (uuid, nil, nil)
  }

  public init(uuid: UUID, major: UInt16) {
    (self.uuid, self.major, minor) = (uuid, major, nil)
  }

  public init(uuid: UUID, major: UInt16, minor: UInt16) {
    (self.uuid, self.major, self.minor) = (uuid, major, minor)
  }
}

public typealias BeaconIdentityConstraint = BeaconIdentityCondition

extension BeaconIdentityCondition: CustomStringConvertible {
  /// `uuid`, `uuid/major` or `uuid/major/minor`, with the UUID in lower case.
  public var description: String {
    ([uuid.uuidString.lowercased()] + [major, minor].compactMap { $0.map { String($0) } }).joined(separator: "/")
  }
}
