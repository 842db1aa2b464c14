import Records

/// Events as comma-separated values (RFC 4180): one line for each, always with the same columns.
public enum EventTable {
  /// The path to each column's value; a dot leads into a record. A new column is appended, so that a program that counts columns still finds the others.
  private static let columns = [
    "journal", "sequence", "time", "event", "region", "kind", "state", "beacon.uuid", "beacon.major", "beacon.minor", "rssi", "distance",
    "accuracy", "proximity", "reason.cause", "reason.lastSeen", "reason.lastSeenAge", "reason.samples", "reason.threshold",
    "reason.exitDelay", "reason.dwell", "reason.adapter", "durable",
    "location.latitude", "location.longitude", "location.horizontalAccuracy", "location.speed", "boundaryDistance", "reason.hold",
    "reason.fixTime", "reason.fixAge", "clockSynchronised", "firstSequence",
  ]

  /// The keys of an event that have no column: the journal that `beaconmon events` reads has no event of an app's region and no test event.
  static let keysWithoutColumn: Set = ["appId", "test"]

  /// The names of the columns, without what leads to them.
  public static let header = line(columns.map { $0.split(separator: ".").last.map(String.init) ?? $0 })

  public static func line(_ event: Record) -> String {
    line(
      columns.map { column in
        let way = column.split(separator: ".").map(String.init)
        let record = way.count > 1 ? event[way[0]]?.record : event
        return way.last.flatMap { record?[$0]?.plainText } ?? ""
      })
  }

  private static func line(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") + "\r\n" }

  private static func quoted(_ field: String) -> String {
    guard field.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return field }
    return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
