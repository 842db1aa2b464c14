import FleetDatabase
import PostgreSQL
import Testing

@Suite struct VenueTests {
  private let connection: PostgreSQLConnection
  private let venues: VenueDatabase

  init() throws {
    let parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    venues = try VenueDatabase(try PostgreSQLConnection(parameters))
  }

  @Test("a site has one venue, which another one replaces, and both are in the audit log")
  func store() throws {
    #expect(try venues.venue(of: "berlin") == nil)
    #expect(try venues.store("gallery", levels: #"[{"level":"ground"}]"#, at: "berlin", by: "root"))
    #expect(try venues.store("museum", levels: #"[{"level":"ground"},{"level":"first"}]"#, at: "berlin", by: "ada"))
    let entry = try #require(try venues.venue(of: "berlin"))
    #expect(entry.venue == "museum" && entry.levels == [#"{"level":"ground"}"#, #"{"level":"first"}"#] && entry.time.count == 16)
    #expect(
      try connection.lines("select actor, action, site_id, subject, detail from audit order by audit_id") == [
        "root\tstore venue\t1\tberlin\tgallery", "ada\tstore venue\t1\tberlin\tmuseum",
      ])
  }

  @Test("an unknown site gets no venue, and there is no entry in the audit log")
  func unknown() throws {
    #expect(try venues.has(site: "berlin") && !venues.has(site: "paris"))
    #expect(try !venues.store("gallery", levels: "[]", at: "paris", by: "root"))
    #expect(try !venues.remove(from: "paris", by: "root") && !venues.remove(from: "berlin", by: "root"))
    #expect(try connection.lines("select count(*) from audit") == ["0"])
  }

  @Test("a removed venue is gone, with an entry in the audit log")
  func remove() throws {
    #expect(try venues.store("gallery", levels: "[]", at: "berlin", by: "root"))
    #expect(try venues.remove(from: "berlin", by: "ada") && venues.venue(of: "berlin") == nil)
    #expect(
      try connection.lines("select actor, action, subject, detail from audit order by audit_id desc limit 1")
        == ["ada\tremove venue\tberlin\tgallery"])
  }

  @Test("the database refuses levels beyond their limit, and keeps those before")
  func limit() throws {
    #expect(try venues.store("gallery", levels: "[]", at: "berlin", by: "root"))
    let levels = "[\"\(String(repeating: "x", count: 8 << 20))\"]"
    #expect(throws: PostgreSQLError.self) { try venues.store("museum", levels: levels, at: "berlin", by: "root") }
    let entry = try #require(try venues.venue(of: "berlin"))
    #expect(entry.venue == "gallery" && entry.levels.isEmpty)
  }

  @Test("the rooms are those of devices that are not revoked, each once")
  func rooms() throws {
    try connection.run(
      script: """
        update device set room = 'hall';
        insert into device(site_id, name, room, revoked_at) values (1, 'till', 'shop', null), (1, 'till-2', 'shop', null),
          (1, 'old', 'attic', now()), (1, 'spare', null, null);
        """)
    #expect(try venues.rooms(of: "berlin") == ["hall", "shop"] && venues.rooms(of: "paris") == [])
  }

  @Test("the step adds the table forward, and removes it back")
  func migration() throws {
    let fresh = try PostgreSQLConnection(try PrivateServer.database())
    let schema = FleetSchema(fresh)
    _ = try schema.migrate(to: 16)
    for _ in 0..<2 {
      #expect(try schema.migrate(to: 17) == ["venues"])
      #expect(try fresh.lines("select to_regclass('site_venue') is not null") == ["t"])
      #expect(try schema.migrate(to: 16) == ["undo venues"])
      #expect(try fresh.lines("select to_regclass('site_venue') is null") == ["t"])
    }
  }
}
