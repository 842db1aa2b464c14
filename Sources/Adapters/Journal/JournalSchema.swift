import SQLite

extension Schema {
  /// What a journal's file holds. A new version is a new step at the end; no step that was released ever changes.
  ///
  /// `event.details` and `region.state` are one line of JSON each. Times are microseconds since the Unix epoch, `life.uptime` since the boot of that name.
  static let journal = Schema(
    application: 0x6263_6e6a,  // "bcnj"
    steps: [
      """
      CREATE TABLE journal (number INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE) STRICT;
      CREATE TABLE event (
        journal INTEGER NOT NULL, sequence INTEGER NOT NULL, time INTEGER NOT NULL, details TEXT NOT NULL,
        PRIMARY KEY (journal, sequence)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE region (identifier TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE life (number INTEGER PRIMARY KEY CHECK (number = 1), time INTEGER NOT NULL, boot TEXT, uptime INTEGER NOT NULL) STRICT;
      """
    ])
}
