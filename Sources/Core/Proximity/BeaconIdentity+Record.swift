import Beacons
import Records

extension BeaconIdentity {
  /// The beacon in a snapshot: `uuid`, `major` and `minor`.
  public var record: Record {
    Record(["uuid": .text(uuid.description), "major": .short(major), "minor": .short(minor)])
  }
}
