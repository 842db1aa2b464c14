import Beacons
import Instants
import Ranging
import Records

extension RangedBeacon {
  /// Returns the beacon as the output of every program shows it in a snapshot.
  public func record(wallClock: (Instant) -> Instant = { $0 }) -> Record {
    var record = beacon.record
    record.append("proximity", .text(proximity.rawValue))
    record.append("distance", distance.map { .metres($0) })
    record.append("accuracy", accuracy.map { .metres($0) })
    record.append("rssi", rssi.map { .rssi($0) })
    record.append("rate", .quantity(rate, decimals: 1))
    record.append("lastSeen", .time(wallClock(lastSeen)))
    return record
  }
}
