import Beacons
import Instants
import Ranging
import Records

/// Snapshots of ranged beacons as comma-separated values (RFC 4180): one line for each beacon and second, nearest first.
public enum RangeCSV {
  /// The names of the columns.
  public static let header = CSVLine.text(["time"] + BeaconReport.fields.map(\.key))

  /// Returns the lines of a snapshot, with an empty field for an unknown value.
  public static func lines(_ beacons: [BeaconReport], at time: Instant) -> String {
    beacons.map(\.record).map { beacon in
      CSVLine.text([time.rfc3339] + BeaconReport.fields.map { beacon[$0.key]?.plainText ?? "" })
    }.joined()
  }
}

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
