import SQLite

/// The schema of the outbox.
enum OutboxSchema {
  /// `BMOB` in ASCII.
  static let schema = Schema(application: 0x424d_4f42, steps: [first, feeds, checksums])

  /// Distinguishes the places of events of the config from those of registered regions.
  private static let feeds = "ALTER TABLE place ADD COLUMN feed INTEGER NOT NULL DEFAULT 0;"

  /// Adds checksums, so that a damaged row costs only itself; see decision 22.
  private static let checksums = [
    CheckedTable("place", ["position", "journal", "sequence", "feed"]), CheckedTable("clock", ["only", "microseconds"]),
    CheckedTable("event", ["id", "journal", "sequence", "json", "queued", "age"]), CheckedTable("delivery", ["target", "event"]),
  ].map(\.adoption).joined()

  private static let first = """
    -- Up to where each journal was heard; the one that was heard last is the last.
    CREATE TABLE place (position INTEGER PRIMARY KEY, journal TEXT NOT NULL, sequence INTEGER NOT NULL) STRICT;
    -- Microseconds that the notifier has run.
    CREATE TABLE clock (only INTEGER PRIMARY KEY CHECK (only = 0), microseconds INTEGER NOT NULL) STRICT;
    INSERT INTO clock VALUES (0, 0);
    -- AUTOINCREMENT: an id is never used again, so a later event has a larger one. queued is by the clock above.
    CREATE TABLE event (
      id INTEGER PRIMARY KEY AUTOINCREMENT, journal TEXT NOT NULL, sequence INTEGER NOT NULL, json TEXT NOT NULL, queued INTEGER NOT NULL,
      age INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE delivery (
      target TEXT NOT NULL, event INTEGER NOT NULL REFERENCES event, PRIMARY KEY (target, event)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX delivery_event ON delivery (event);
    CREATE TRIGGER delivery_was_last AFTER DELETE ON delivery
    WHEN NOT EXISTS (SELECT 1 FROM delivery WHERE event = old.event)
    BEGIN DELETE FROM event WHERE id = old.event; END;
    CREATE TABLE dead (
      id INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT NOT NULL, json TEXT NOT NULL, reason TEXT NOT NULL, time INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX dead_target ON dead (target, id);
    -- The regions that a broker was told of.
    CREATE TABLE announced (target TEXT NOT NULL, region TEXT NOT NULL, PRIMARY KEY (target, region)) STRICT, WITHOUT ROWID;
    """
}

/// The checked tables of the current version.
extension CheckedTable {
  static let place = CheckedTable("place", ["position", "journal", "sequence", "feed"])
  static let clock = CheckedTable("clock", ["only", "microseconds"])
  static let event = CheckedTable("event", ["id", "journal", "sequence", "json", "queued", "age"])
  static let delivery = CheckedTable("delivery", ["target", "event"])
  static let outbox = [place, clock, event, delivery]
}
