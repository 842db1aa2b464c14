internal import Beacons
internal import DBus
internal import EventLoop
internal import Events
import FoundationEssentials

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
