import SQLite

extension Schema {
  /// The schema of visits. A new version adds a step at the end; a released step never changes.
  ///
  /// Times are microseconds, those of `visit` and `book` since the Unix epoch; `day.hours` has 24 numbers of 32 bits, the lowest octet
  /// first.
  static let visits = Schema(
    application: 0x6263_7673,  // "bcvs"
    steps: [
      """
      CREATE TABLE day (
        day INTEGER NOT NULL, region TEXT NOT NULL, kind TEXT, visits INTEGER NOT NULL, ended INTEGER NOT NULL, inside INTEGER NOT NULL,
        longest INTEGER NOT NULL, hours BLOB NOT NULL, PRIMARY KEY (day, region)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE visit (region TEXT PRIMARY KEY NOT NULL, kind TEXT, began INTEGER, inside INTEGER, synchronised INTEGER NOT NULL)
        STRICT, WITHOUT ROWID;
      CREATE TABLE book (number INTEGER PRIMARY KEY CHECK (number = 1), journal TEXT NOT NULL, sequence INTEGER NOT NULL, latest INTEGER)
        STRICT;
      """
        + [
          CheckedTable("day", ["day", "region", "kind", "visits", "ended", "inside", "longest", "hours"]),
          CheckedTable("visit", ["region", "kind", "began", "inside", "synchronised"]),
          CheckedTable("book", ["number", "journal", "sequence", "latest"]),
        ].map(\.adoption).joined()
    ])
}

extension CheckedTable {
  static let day = CheckedTable("day", ["day", "region", "kind", "visits", "ended", "inside", "longest", "hours"])
  static let visit = CheckedTable("visit", ["region", "kind", "began", "inside", "synchronised"])
  static let book = CheckedTable("book", ["number", "journal", "sequence", "latest"])
  static let visits = [day, visit, book]
}
