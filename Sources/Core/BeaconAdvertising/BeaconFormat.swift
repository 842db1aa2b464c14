/// A format in which a beacon advertises its identity.
public enum BeaconFormat: UInt8, CaseIterable, Sendable {
  /// Apple, Proximity Beacon Specification R1.
  case iBeacon
  /// AltBeacon specification 1.0; its 20 octets of identity are UUID, major and minor.
  case altBeacon
}

extension BeaconFormat {
  /// The kind of an advertisement with a beacon of this format.
  public var kind: AdvertisementKind {
    switch self {
    case .iBeacon: .iBeacon
    case .altBeacon: .altBeacon
    }
  }
}
