import Beacons

/// A source of entities that was announced to a broker, and must be withdrawn when it leaves the configuration.
public enum AnnouncedEntity: Hashable, Sendable {
  case region(String)
  case beacon(BeaconIdentity)
  /// The location of the device.
  case location

  /// The name of the entity in the outbox. Names of regions contain no control characters.
  public var storedName: String {
    switch self {
    case .region(let region): region
    case .beacon(let beacon): Self.beaconPrefix + beacon.description
    case .location: Self.locationName
    }
  }

  /// Creates an entity from its name in the outbox. An unknown name is that of a region.
  public init(storedName: String) {
    if storedName == Self.locationName {
      self = .location
    } else if storedName.hasPrefix(Self.beaconPrefix), let beacon = BeaconIdentity(storedName.dropFirst(Self.beaconPrefix.count)) {
      self = .beacon(beacon)
    } else {
      self = .region(storedName)
    }
  }

  private static let beaconPrefix = "\u{1f}beacon "
  private static let locationName = "\u{1f}location"
}
