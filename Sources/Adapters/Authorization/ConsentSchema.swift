import SQLite

extension Schema {
  /// The schema of decisions, requests, uses and registered regions.
  ///
  /// A new version adds a step at the end; a released step never changes.
  ///
  /// A subject is `user` or `group` and its number. Times are microseconds since the Unix epoch. `author` is a user number, or NULL for
  /// polkit. The definition of a registered region is one line of JSON. All tables are checked tables; see decision 24.
  static let consent = Schema(
    application: 0x6263_6373,  // "bccs"
    steps: [
      """
      CREATE TABLE switch (name TEXT PRIMARY KEY, is_on INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE decision (
        kind TEXT NOT NULL, number INTEGER NOT NULL, authorization TEXT NOT NULL, author INTEGER, time INTEGER NOT NULL,
        PRIMARY KEY (kind, number)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE request (
        user INTEGER NOT NULL, app TEXT NOT NULL, purpose TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (user, app)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE use (
        number INTEGER PRIMARY KEY, user INTEGER NOT NULL, app TEXT NOT NULL, purpose TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER
      ) STRICT;
      """,
      """
      CREATE TABLE registration (
        user INTEGER NOT NULL, app TEXT NOT NULL, identifier TEXT NOT NULL, purpose TEXT NOT NULL, definition TEXT NOT NULL,
        time INTEGER NOT NULL, PRIMARY KEY (user, app, identifier)
      ) STRICT, WITHOUT ROWID;
      """,
      [
        CheckedTable("switch", ["name", "is_on"]), CheckedTable("decision", ["kind", "number", "authorization", "author", "time"]),
        CheckedTable("request", ["user", "app", "purpose", "time"]),
        CheckedTable("use", ["number", "user", "app", "purpose", "began", "ended"]),
        CheckedTable("registration", ["user", "app", "identifier", "purpose", "definition", "time"]),
      ].map(\.adoption).joined(),
    ])
}

/// The tables of the current version.
extension CheckedTable {
  static let `switch` = CheckedTable("switch", ["name", "is_on"])
  static let decision = CheckedTable("decision", ["kind", "number", "authorization", "author", "time"])
  static let request = CheckedTable("request", ["user", "app", "purpose", "time"])
  static let use = CheckedTable("use", ["number", "user", "app", "purpose", "began", "ended"])
  static let registration = CheckedTable("registration", ["user", "app", "identifier", "purpose", "definition", "time"])
  static let consent = [CheckedTable.switch, decision, request, use, registration]
}
