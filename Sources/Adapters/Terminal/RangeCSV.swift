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
