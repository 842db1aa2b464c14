import SQLite

extension Schema {
  /// What a journal's file holds. A new version is a new step at the end; no step that was released ever changes.
  ///
  /// `event.details` is the event as one line of JSON, `event.time` its time in microseconds since the Unix epoch.
  static let journal = Schema(
    application: 0x6263_6e6a,  // "bcnj"
    steps: [
      """
      CREATE TABLE journal (number INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE) STRICT;
      CREATE TABLE event (
        journal INTEGER NOT NULL, sequence INTEGER NOT NULL, time INTEGER NOT NULL, details TEXT NOT NULL,
        PRIMARY KEY (journal, sequence)
      ) STRICT, WITHOUT ROWID;
      """
    ])
}
