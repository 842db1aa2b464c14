/// A selection of beacons: all of a UUID, all of one major, or a single one.
public struct BeaconConstraint: Hashable, Sendable {
  public let uuid: BeaconUUID
  public let major: UInt16?
  public let minor: UInt16?

  @inlinable
  public init(uuid: BeaconUUID) {
    (self.uuid, major, minor) = (uuid, nil, nil)
  }

  @inlinable
  public init(uuid: BeaconUUID, major: UInt16) {
    (self.uuid, self.major, minor) = (uuid, major, nil)
  }

  @inlinable
  public init(uuid: BeaconUUID, major: UInt16, minor: UInt16) {
    (self.uuid, self.major, self.minor) = (uuid, major, minor)
  }

  /// Creates a constraint; `nil` for a minor without a major, because minors of different majors are unrelated.
  @inlinable
  public init?(uuid: BeaconUUID, major: UInt16?, minor: UInt16?) {
    if major == nil && minor != nil { return nil }
    (self.uuid, self.major, self.minor) = (uuid, major, minor)
  }

  @inlinable
  public func contains(_ beacon: BeaconIdentity) -> Bool {
    beacon.uuid == uuid && (major.map { $0 == beacon.major } ?? true) && (minor.map { $0 == beacon.minor } ?? true)
  }
}

extension BeaconConstraint: CustomStringConvertible {
  /// `uuid`, `uuid/major` or `uuid/major/minor`.
  public var description: String {
    ([uuid.description] + [major, minor].compactMap { $0.map(String.init) }).joined(separator: "/")
  }
}
