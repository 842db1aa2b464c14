import Consent
import Glibc
import Instants
import SQLite
import TestSupport
import Testing

@testable import Authorization

/// Every released version of the file is migrated to the current one.
///
/// A new version gets a line in `contents`: the contents of its files.
@Suite struct ConsentStoreTests {
  private static let contents = [
    """
    INSERT INTO switch VALUES ('location-services', 0);
    INSERT INTO decision VALUES ('user', 7, 'always', NULL, 1795219200000000);
    INSERT INTO use VALUES (3, 7, 'org.example.Guide', 'Shows the exhibit', 1795219200000000, NULL);
    """,
    """
    INSERT INTO switch VALUES ('location-services', 0);
    INSERT INTO decision VALUES ('user', 7, 'always', NULL, 1795219200000000);
    INSERT INTO use VALUES (3, 7, 'org.example.Guide', 'Shows the exhibit', 1795219200000000, NULL);
    INSERT INTO registration VALUES (7, 'org.example.Guide', 'desk', 'Greets you', '{"identifier":"desk"}', 1795219200000000);
    """,
    checked("switch", "'location-services', 0") + checked("decision", "'user', 7, 'always', NULL, 1795219200000000")
      + checked("use", "3, 7, 'org.example.Guide', 'Shows the exhibit', 1795219200000000, NULL")
      + checked("registration", "7, 'org.example.Guide', 'desk', 'Greets you', '{\"identifier\":\"desk\"}', 1795219200000000"),
  ]

  /// Returns SQL that writes the only row of a checked table.
  private static func checked(_ table: String, _ row: String) -> String {
    """
    INSERT INTO \(table) VALUES (\(row), row_checksum((SELECT id FROM head WHERE name = '\(table)'), '\(table)', \(row)));
    UPDATE head SET (count, digest) = (SELECT count(*), rows_digest(checksum) FROM \(table)) WHERE name = '\(table)';
    """
  }

  private let folder: TemporaryDirectory
  private var path: String { folder.file("consent.db") }

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test func `the tests contain a file of every version`() {
    #expect(Self.contents.count == Schema.consent.version)
  }

  @Test(arguments: 1...Schema.consent.version)
  func `a file of any version keeps its decisions and accepts registrations`(version: Int) throws {
    do {
      let database = try Database(path: path)
      try Schema(application: Schema.consent.application, steps: Array(Schema.consent.steps.prefix(version))).apply(to: database)
      try database.execute(Self.contents[version - 1])
    }
    let store = try ConsentStore(path: path)
    #expect(store.note == nil)
    #expect(try !store.isEnabled() && store.decisions()[.user(7)]?.authorization == .always && store.uses().map(\.number) == [3])
    let known = try store.registrations()
    #expect(known.map(\.identifier) == (version == 1 ? [] : ["desk"]))
    try store.add(try Self.registration("door", at: 1_795_219_300_000_000))
    #expect(try store.registrations().last == Self.registration("door", at: 1_795_219_300_000_000))
  }

  @Test func `location services are off after the file was moved away, and a change of the switch lasts`() throws {
    #expect(!ConsentStore.mayHold(path))
    try #require(mkdir(path + ".1", 0o700) == 0)
    #expect(ConsentStore.mayHold(path))
    #expect(try !ConsentStore(path: path).isEnabled())
    try ConsentStore(path: path).setEnabled(true)
    #expect(try ConsentStore(path: path).isEnabled())
  }

  @Test func `a file that could not be read at first is used once it can be read`() throws {
    do {
      let store = try ConsentStore(path: path + ".kept")
      try store.set(Decision(.denied, by: .administrator(0), at: Instant(microseconds: 0)), for: .user(7))
    }
    try #require(mkdir(path, 0o700) == 0)
    let store = try ConsentStore(path: path)
    #expect(try store.isUnreadable && !store.isEnabled() && store.decisions().isEmpty && !store.reopen())
    try #require(rmdir(path) == 0 && rename(path + ".kept", path) == 0)
    #expect(store.reopen() && !store.isUnreadable && store.note == nil)
    #expect(try store.isEnabled() && store.decisions()[.user(7)]?.authorization == .denied)
    try store.set(Decision(.denied, by: .administrator(0), at: Instant(microseconds: 0)), for: .user(8))
    #expect(ConsentStore.denials(in: path).count == 2)
  }

  @Test func `a file that is damaged when it can be read at last keeps location services off`() throws {
    try #require(mkdir(path, 0o700) == 0)
    let store = try ConsentStore(path: path)
    try #require(rmdir(path) == 0)
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    #expect(try store.reopen() && !store.isEnabled() && store.note?.contains("could not be read and was moved to") == true)
  }

  private static func registration(_ identifier: String, of app: String = "org.example.Guide", at time: Int64) throws -> Registration {
    Registration(
      user: 7, app: try #require(AppID(app)), identifier: identifier, purpose: try #require(Purpose("Greets you")),
      definition: "{\"identifier\":\"\(identifier)\"}", time: Instant(microseconds: time))
  }

  @Test func `registrations keep their order, and one registration or all of an app can be removed`() throws {
    let store = try ConsentStore(path: path)
    for (number, name) in ["desk", "door", "hall"].enumerated() { try store.add(try Self.registration(name, at: Int64(number))) }
    try store.add(try Self.registration("desk", of: "org.example.Other", at: 9))
    let guide = try #require(AppID("org.example.Guide"))
    try store.removeRegistrations(of: guide, user: 7, identifier: "door")
    #expect(try store.registrations().map(\.identifier) == ["desk", "hall", "desk"])
    try store.removeRegistrations(of: guide, user: 8)
    try store.removeRegistrations(of: guide, user: 7)
    #expect(try store.registrations().map(\.app.description) == ["org.example.Other"])
  }
}
