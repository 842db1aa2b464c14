import SQLite

extension Schema {
  /// The schema of what was learned. A new version adds a step at the end; a released step never changes.
  static let learned = Schema(
    application: 0x6263_6c73,  // "bcls"
    steps: [
      """
      CREATE TABLE receiver (venue TEXT NOT NULL, adapter TEXT NOT NULL, seconds INTEGER NOT NULL, since INTEGER NOT NULL,
        offset REAL NOT NULL,
        PRIMARY KEY (venue, adapter))
        STRICT, WITHOUT ROWID;
      CREATE TABLE offset (
        venue TEXT NOT NULL, adapter TEXT NOT NULL, transmitter TEXT NOT NULL, a REAL NOT NULL, b REAL NOT NULL, c REAL NOT NULL,
        d REAL NOT NULL, e REAL NOT NULL, PRIMARY KEY (venue, adapter, transmitter)
      ) STRICT, WITHOUT ROWID;
      """
        + [
          CheckedTable("receiver", ["venue", "adapter", "seconds", "since", "offset"]),
          CheckedTable("offset", ["venue", "adapter", "transmitter", "a", "b", "c", "d", "e"]),
        ].map(\.adoption).joined(),
      """
      CREATE TABLE placement (
        venue TEXT NOT NULL, transmitter TEXT NOT NULL, plan TEXT NOT NULL, seconds INTEGER NOT NULL, sums BLOB NOT NULL,
        PRIMARY KEY (venue, transmitter)
      ) STRICT, WITHOUT ROWID;
      """ + CheckedTable("placement", ["venue", "transmitter", "plan", "seconds", "sums"]).adoption,
      """
      CREATE TABLE calibration (
        device TEXT PRIMARY KEY NOT NULL, time INTEGER NOT NULL, residual REAL NOT NULL, numbers BLOB NOT NULL
      ) STRICT, WITHOUT ROWID;
      """ + CheckedTable("calibration", ["device", "time", "residual", "numbers"]).adoption,
      """
      CREATE TABLE departure (
        venue TEXT NOT NULL, place TEXT NOT NULL, start INTEGER NOT NULL, stage INTEGER NOT NULL, PRIMARY KEY (venue, place, start)
      ) STRICT, WITHOUT ROWID;
      """ + CheckedTable("departure", ["venue", "place", "start", "stage"]).adoption,
      // Earlier rows do not say for which plan and which configured level they hold, so their receivers learn again.
      """
      DROP TABLE receiver;
      DROP TABLE offset;
      DELETE FROM head WHERE name IN ('receiver', 'offset');
      CREATE TABLE receiver (
        venue TEXT NOT NULL, adapter TEXT NOT NULL, seconds INTEGER NOT NULL, since INTEGER NOT NULL, offset REAL NOT NULL,
        calibrated INTEGER NOT NULL, distrusted INTEGER NOT NULL, PRIMARY KEY (venue, adapter)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE offset (
        venue TEXT NOT NULL, adapter TEXT NOT NULL, transmitter TEXT NOT NULL, plan TEXT NOT NULL, a REAL NOT NULL, b REAL NOT NULL,
        c REAL NOT NULL, d REAL NOT NULL, e REAL NOT NULL, PRIMARY KEY (venue, adapter, transmitter)
      ) STRICT, WITHOUT ROWID;
      """
        + [
          CheckedTable("receiver", ["venue", "adapter", "seconds", "since", "offset", "calibrated", "distrusted"]),
          CheckedTable("offset", ["venue", "adapter", "transmitter", "plan", "a", "b", "c", "d", "e"]),
        ].map(\.adoption).joined(),
      """
      CREATE TABLE beacon (
        beacon TEXT NOT NULL, adapter TEXT NOT NULL, place TEXT NOT NULL, numbers BLOB NOT NULL, PRIMARY KEY (beacon, adapter)
      ) STRICT, WITHOUT ROWID;
      """ + CheckedTable("beacon", ["beacon", "adapter", "place", "numbers"]).adoption,
      """
      CREATE TABLE refusal (
        venue TEXT NOT NULL, adapter TEXT NOT NULL, beacon TEXT NOT NULL, offset REAL NOT NULL, PRIMARY KEY (venue, adapter, beacon)
      ) STRICT, WITHOUT ROWID;
      """ + CheckedTable("refusal", ["venue", "adapter", "beacon", "offset"]).adoption,
    ])
}

extension CheckedTable {
  static let receiver = CheckedTable("receiver", ["venue", "adapter", "seconds", "since", "offset", "calibrated", "distrusted"])
  static let offset = CheckedTable("offset", ["venue", "adapter", "transmitter", "plan", "a", "b", "c", "d", "e"])
  static let placement = CheckedTable("placement", ["venue", "transmitter", "plan", "seconds", "sums"])
  static let calibration = CheckedTable("calibration", ["device", "time", "residual", "numbers"])
  static let departure = CheckedTable("departure", ["venue", "place", "start", "stage"])
  static let beacon = CheckedTable("beacon", ["beacon", "adapter", "place", "numbers"])
  static let refusal = CheckedTable("refusal", ["venue", "adapter", "beacon", "offset"])
  static let learned = [receiver, offset, placement, calibration, departure, beacon, refusal]
}
