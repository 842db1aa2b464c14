internal import Beacons
internal import DBus
internal import EventLoop
internal import Events
import FoundationEssentials
internal import Records

extension BeaconIdentityCondition {
  var constraint: BeaconConstraint {
    let (high, low) = withUnsafeBytes(of: uuid.uuid) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    let uuid = BeaconUUID(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    guard let major else { return BeaconConstraint(uuid: uuid) }
    return minor.map { BeaconConstraint(uuid: uuid, major: major, minor: $0) } ?? BeaconConstraint(uuid: uuid, major: major)
  }

  init(_ constraint: BeaconConstraint) {
    let uuid = UUID(constraint.uuid)
    switch (constraint.major, constraint.minor) {
    case (let major?, let minor?): self.init(uuid: uuid, major: major, minor: minor)
    case (let major?, nil): self.init(uuid: uuid, major: major)
    case (nil, _): self.init(uuid: uuid)
    }
  }

  init(_ beacon: Event.Beacon) {
    self.init(uuid: UUID(beacon.uuid), major: beacon.major, minor: beacon.minor)
  }

  /// Creates the condition of the beacon in a state; nil if the state has none.
  init?(_ details: Record) {
    guard let beacon = details["beacon"]?.record else { return nil }
    self.init(identity: beacon)
  }

  /// Creates a condition from a record's `uuid`, `major` and `minor`; nil if one is missing.
  init?(identity record: Record) {
    guard let uuid = record["uuid"]?.text.flatMap({ UUID(uuidString: $0) }), let major = record["major"]?.short,
      let minor = record["minor"]?.short
    else { return nil }
    self.init(uuid: uuid, major: major, minor: minor)
  }
}

extension UUID {
  init(_ uuid: BeaconUUID) {
    var octets: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &octets) {
      $0.storeBytes(of: uuid.high.bigEndian, as: UInt64.self)
      $0.storeBytes(of: uuid.low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    self.init(uuid: octets)
  }
}

extension Bus {
  var address: BusAddress {
    switch self {
    case .system: return .system
    case .session: return .session
    case .address(let address): return .explicit(address)
    case .automatic:
      switch ChildCommand.ownEnvironment()["BEACONMON_BUS"] ?? "" {
      case "", "system": return .system
      case "session": return .session
      case let address: return .explicit(address)
      }
    }
  }
}
