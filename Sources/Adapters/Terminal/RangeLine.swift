import Beacons
import Instants
import Ranging

/// Ranging for a pipe: one line for each beacon of each snapshot, in fixed columns.
public enum RangeLine {
  /// Returns the nine fields of a beacon, with `-` for an unknown value.
  ///
  /// Time, major, minor, proximity, distance and accuracy in metres, RSSI in dBm, advertisements per second, and seconds since the last
  /// sighting. The name of its place follows as a tenth field if it has one.
  public static func text(_ beacon: BeaconReport, at time: Instant) -> String {
    let row = BeaconRow(beacon, at: time)
    let fields = [
      time.rfc3339, row.major.padded(5, isRight: true), row.minor.padded(5, isRight: true), row.proximity.rawValue.padded(9),
      (row.distance ?? "-").padded(6, isRight: true), (row.accuracy ?? "-").padded(6, isRight: true),
      (row.rssi ?? "-").padded(6, isRight: true), (row.rate ?? "-").padded(5, isRight: true), (row.age ?? "-").padded(4, isRight: true),
    ]
    return (fields + [row.place].compactMap(\.self)).joined(separator: "  ")
  }
}
