import SQLite

extension Schema {
  /// The schema of a journal. A new version adds a step at the end; a released step never changes.
  ///
  /// `event.details` and `region.state` are one line of JSON each. Times are microseconds since the Unix epoch; `life.uptime` is since the
  /// named boot.
  /// `watched` is the time for which the journal was in use (`WatchedTime`). `journal.first` and `last` are the first and the last sequence
  /// of its events, without gaps between them, or NULL before the first event. `identity` repeats the identities of the journals on another
  /// page, because clients know a journal only by its identity. `event.clock` is 1 for a synchronised clock, 0 for an unsynchronised one,
  /// and NULL if unknown.
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
      """,
      """
      ALTER TABLE journal ADD COLUMN first INTEGER;
      ALTER TABLE journal ADD COLUMN last INTEGER;
      UPDATE journal SET (first, last) = (SELECT min(sequence), max(sequence) FROM event WHERE event.journal = journal.number);
      ALTER TABLE event ADD COLUMN watched INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE event ADD COLUMN clock INTEGER;
      UPDATE event SET clock = CASE WHEN json_valid(details) THEN
        CASE json_type(details, '$.clockSynchronised') WHEN 'true' THEN 1 WHEN 'false' THEN 0 END END;
      ALTER TABLE life ADD COLUMN watched INTEGER NOT NULL DEFAULT 0;
      CREATE TABLE identity (number INTEGER PRIMARY KEY, identity TEXT NOT NULL) STRICT;
      INSERT INTO identity SELECT number, identity FROM journal;
      """ + CheckedTable("journal", ["number", "identity", "first", "last"]).adoption
        + CheckedTable("event", ["journal", "sequence", "time", "details", "watched", "clock"]).adoption
        + CheckedTable("region", ["identifier", "state"]).adoption
        + CheckedTable("life", ["number", "time", "boot", "uptime", "watched"]).adoption
        + CheckedTable("identity", ["number", "identity"]).adoption,
    ])
}

/// The tables of the current version.
enum JournalTables {
  static let journals = CheckedTable("journal", ["number", "identity", "first", "last"])
  static let events = CheckedTable("event", ["journal", "sequence", "time", "details", "watched", "clock"])
  static let regions = CheckedTable("region", ["identifier", "state"])
  static let life = CheckedTable("life", ["number", "time", "boot", "uptime", "watched"])
  static let identities = CheckedTable("identity", ["number", "identity"])
  static let all = [journals, events, regions, life, identities]
}
