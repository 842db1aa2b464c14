import Beacons
import Events
import Records
import Regions
import SQLite
import TestSupport
import Testing

@testable import Journal

/// Every released version of the file is migrated to the current one.
///
/// A new version gets a line in `contents`: the contents of its files.
@Suite struct MigrationTests {
  /// An event and a state of each version from 1, as a program of that version wrote them.
  private static let contents = [
    """
    INSERT INTO journal VALUES (1, '5f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11');
    INSERT INTO event VALUES (1, 7, 1795219200000000, '{"sequence":7,"event":"enter","region":"hall","time":"2026-11-21T00:00:00.000000Z"}');
    INSERT INTO region VALUES ('hall', '{"region":"hall","uuid":"8ec76ea3-6668-48da-9866-75be8bc86f4d","state":"inside","remembered":"inside","since":"2026-11-21T00:00:00.000000Z","dayEnd":"2026-11-22T00:00:00.000000Z"}');
    INSERT INTO life VALUES (1, 1795219200000000, 'A', 5);
    """,
    """
    INSERT INTO journal VALUES (1, '5f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11', 7, 7, 0);
    INSERT INTO event VALUES (1, 7, 1795219200000000, '{"sequence":7,"event":"enter","region":"hall","time":"2026-11-21T00:00:00.000000Z"}', 0, NULL, 0);
    INSERT INTO region VALUES ('hall', '{"region":"hall","uuid":"8ec76ea3-6668-48da-9866-75be8bc86f4d","state":"inside","remembered":"inside","since":"2026-11-21T00:00:00.000000Z","dayEnd":"2026-11-22T00:00:00.000000Z"}', 0);
    INSERT INTO life VALUES (1, 1795219200000000, 'A', 5, 0, 0);
    INSERT INTO identity VALUES (1, '5f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11', 0);
    """ + adoption,
  ]

  /// Adds the checksums that the program of version 2 wrote.
  private static let adoption = JournalTables.all.map { table in
    let id = "(SELECT id FROM head WHERE name = '\(table.name)')"
    return """
      UPDATE \(table.name) SET checksum = row_checksum(\(id), '\(table.name)', \(table.columns.joined(separator: ", ")));
      UPDATE head SET (count, digest) = (SELECT count(*), rows_digest(checksum) FROM \(table.name)) WHERE name = '\(table.name)';
      """
  }.joined()

  @Test func `the tests contain a file of every version`() {
    #expect(Self.contents.count == Schema.journal.version)
  }

  @Test(arguments: 1...Schema.journal.version)
  func `a file of any version keeps its events, numbers and states`(version: Int) throws {
    let file = try JournalFile()
    do {
      let database = try Database(path: file.path)
      try Schema(application: Schema.journal.application, steps: Array(Schema.journal.steps.prefix(version))).apply(to: database)
      try database.execute(Self.contents[version - 1])
    }
    let journal = file.open()
    #expect(journal.isDurable && journal.note == nil)
    #expect(journal.identity.description == "5f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11" && journal.lastSequence == 7)
    #expect(try journal.events(of: journal.identity.description, after: 0, limit: 9)?.first?["region"] == .text("hall"))
    let saved = try #require(journal.savedRegions())
    #expect(saved.regions.map(\.remembered) == [.inside] && saved.heartbeat.boot == "A")
    _ = consume journal
    #expect(try file.python("print(db.execute('PRAGMA user_version').fetchone()[0])") == "\(Schema.journal.version)\n")
  }
}
