import Instants
import Records

/// Snapshots of ranged beacons as comma-separated values (RFC 4180): one line for each beacon and second, nearest first.
public enum RangeCSV {
  /// The keys of a beacon's record, in the order of the columns after `time`.
  private static let keys = ["uuid", "major", "minor", "proximity", "distance", "accuracy", "rssi", "rate", "lastSeen"]

  /// The names of the columns.
  public static let header = CSVLine.text(["time"] + keys)

  /// Returns the lines of a snapshot, with an empty field for an unknown value.
  public static func lines(_ beacons: [Record], at time: Instant) -> String {
    beacons.map { beacon in CSVLine.text([time.rfc3339] + keys.map { beacon[$0]?.plainText ?? "" }) }.joined()
  }
}
