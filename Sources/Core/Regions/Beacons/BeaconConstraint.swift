import BeaconAdvertising

/// A selection of beacons: all of a UUID, all of one major, or a single one.
public struct BeaconConstraint: Hashable, Sendable {
  public let uuid: BeaconUUID
  public let major: UInt16?
  public let minor: UInt16?

  public init(uuid: BeaconUUID) {
    (self.uuid, major, minor) = (uuid, nil, nil)
  }

  public init(uuid: BeaconUUID, major: UInt16) {
    (self.uuid, self.major, minor) = (uuid, major, nil)
  }

  public init(uuid: BeaconUUID, major: UInt16, minor: UInt16) {
    (self.uuid, self.major, self.minor) = (uuid, major, minor)
  }

  /// Creates a constraint; `nil` for a minor without a major, because minors of different majors are unrelated.
  public init?(uuid: BeaconUUID, major: UInt16?, minor: UInt16?) {
    if major == nil && minor != nil { return nil }
    (self.uuid, self.major, self.minor) = (uuid, major, minor)
  }

  public func contains(_ beacon: BeaconIdentity) -> Bool {
    beacon.uuid == uuid && (major.map { $0 == beacon.major } ?? true) && (minor.map { $0 == beacon.minor } ?? true)
  }

  /// Returns the three constraints that contain `beacon`, widest first.
  static func containing(_ beacon: BeaconIdentity) -> [BeaconConstraint] {
    [
      BeaconConstraint(uuid: beacon.uuid),
      BeaconConstraint(uuid: beacon.uuid, major: beacon.major),
      BeaconConstraint(uuid: beacon.uuid, major: beacon.major, minor: beacon.minor),
    ]
  }
}

extension BeaconConstraint: CustomStringConvertible {
  /// `uuid`, `uuid/major` or `uuid/major/minor`.
  public var description: String {
    ([uuid.description] + [major, minor].compactMap { $0.map(String.init) }).joined(separator: "/")
  }
}
