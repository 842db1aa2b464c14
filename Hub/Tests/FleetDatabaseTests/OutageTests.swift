import FleetDatabase
import FleetStatus
import Ingest
import Instants
import PostgreSQL
import Testing

@Suite struct OutageTests {
  private let parameters: String
  private let connection: PostgreSQLConnection
  private let outages: OutageDatabase

  init() throws {
    parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    outages = OutageDatabase { [parameters] in try PostgreSQLConnection(parameters) }
  }

  private func shown() throws -> [FleetStatus.Outage] { try StatusDatabase(try PostgreSQLConnection(parameters)).status().outages }

  /// Waits until no outage lasts. The server notices the end of a link a little later.
  private func waitForEndOfSigns() throws {
    for _ in 0..<100 where try shown().contains(where: { $0.ended == nil }) { try connection.run(script: "select pg_sleep(0.05)") }
  }

  @Test("only the errors of a full disk mean one")
  func errors() {
    #expect(outages.isOfFullDisk(PostgreSQLError(code: "53100", message: "could not extend file: No space left on device")))
    #expect(outages.isOfFullDisk(PostgreSQLError(message: "connection to server failed: FATAL:  could not write init file")))
    for error in [PostgreSQLError(code: "25006", message: "read-only"), PostgreSQLError(message: "no link")] {
      #expect(!outages.isOfFullDisk(error))
    }
  }

  @Test("a full disk is shown without writing while its sign is held, and stored with its length")
  func database() throws {
    #expect(try shown().isEmpty)
    do {
      let sign = try outages.showFullDisk(for: .seconds(60))
      try sign.check()
      #expect(try connection.lines("select count(*) from outage") == ["0"])
      let outage = try #require(try shown().first)
      #expect(outage.part == .database && outage.cause == "disk" && outage.ended == nil && (60...80).contains(outage.since ?? -1))
      try outages.storeFullDisk(for: .seconds(60), joining: .seconds(10))
      withExtendedLifetime(sign) {}
    }
    try waitForEndOfSigns()
    let ended = try #require(try shown().first)
    #expect((60...80).contains(ended.since ?? 0) && (0...20).contains(ended.ended ?? -1))
  }

  @Test("an outage begins not later than its first failure, in any part of a second")
  func fraction() throws {
    // Until a part of a second that a cast to an integer rounds up.
    try connection.run(script: "select pg_sleep((1.7 - extract(epoch from clock_timestamp()) % 1)::float8)")
    let sign = try outages.showFullDisk(for: .zero)
    #expect(try connection.lines("select began_at <= now() from outage_overview") == ["t"])
    withExtendedLifetime(sign) {}
  }

  @Test("the earliest of several signs counts, and none is left of workers that ended")
  func workers() throws {
    do {
      let signs = [try outages.showFullDisk(for: .seconds(3600)), try outages.showFullDisk(for: .zero)]
      #expect(try shown().count == 1 && (3600...3620).contains(shown()[0].since ?? 0))
      withExtendedLifetime(signs) {}
    }
    try waitForEndOfSigns()
    #expect(try shown().isEmpty)
  }

  @Test("a sign has gone after a restart of the database, and the outage is stored nevertheless")
  func restarted() throws {
    let sign = try outages.showFullDisk(for: .zero)
    try connection.run(
      script: "select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and classid = 4712 and database = "
        + "(select oid from pg_database where datname = current_database())")
    #expect(throws: PostgreSQLError.self) { try sign.check() }
    try outages.storeFullDisk(for: .seconds(7), joining: .seconds(10))
    #expect(try connection.lines("select count(*) from outage") == ["1"])
  }

  @Test("two workers, and an outage that begins again at once, are one outage")
  func merged() throws {
    try outages.storeFullDisk(for: .seconds(30), joining: .seconds(10))
    try outages.storeFullDisk(for: .seconds(25), joining: .seconds(10))
    #expect(try connection.lines("select count(*), round(extract(epoch from max(ended_at - began_at))) from outage") == ["1\t30"])
    func move(_ seconds: Int) throws {
      try connection.run(
        script: "update outage set began_at = began_at - interval '\(seconds) s', ended_at = ended_at - interval '\(seconds) s'")
    }
    try move(20)
    try outages.storeFullDisk(for: .seconds(15), joining: .seconds(10))
    #expect(try connection.lines("select count(*) from outage") == ["1"])
    try move(30)
    try outages.storeFullDisk(for: .seconds(15), joining: .seconds(10))
    #expect(try connection.lines("select count(*) from outage") == ["2"], "the gap was 15 s")
  }

  @Test("an alarm of the broker is one outage for all workers, and the first one that sees its end ends it")
  func broker() throws {
    let (first, second) = (outages, OutageDatabase { [parameters] in try PostgreSQLConnection(parameters) })
    try first.note(alarm: nil, for: .seconds(0))
    #expect(try shown().isEmpty)
    try first.note(alarm: "disk", for: .seconds(40))
    try second.note(alarm: "memory & disk", for: .seconds(0))
    let outage = try #require(try shown().first)
    #expect(outage.part == .broker && outage.cause == "memory & disk" && outage.ended == nil && (40...60).contains(outage.since ?? 0))
    try second.note(alarm: nil, for: .seconds(0))
    try first.note(alarm: nil, for: .seconds(0))
    #expect(try shown().count == 1 && shown()[0].ended != nil && connection.lines("select count(*) from outage") == ["1"])
  }

  @Test("an outage is shown for a day, and kept for 90 days")
  func expiry() throws {
    try connection.run(
      script: """
        insert into outage(part, cause, began_at, ended_at) values ('broker', 'disk', now() - interval '92 days', now() - interval '91 days'),
          ('database', 'disk', now() - interval '3 days', now() - interval '25 hours');
        """)
    #expect(try shown().isEmpty)
    try outages.note(alarm: nil, for: .seconds(0))
    #expect(try connection.lines("select part from outage") == ["database"])
  }

  @Test("status finds a database that does not store, and the link works afterwards")
  func testWrite() throws {
    let status = try StatusDatabase(connection)
    #expect(try !status.hasFullDisk())
    try connection.run(script: "set default_transaction_read_only = on")
    #expect(try !status.hasFullDisk() && connection.lines("select 1") == ["1"])
  }

  @Test("the step adds table and view forward, and removes them back")
  func migration() throws {
    let fresh = try PostgreSQLConnection(try PrivateServer.database())
    let schema = FleetSchema(fresh)
    _ = try schema.migrate(to: 17)
    for _ in 0..<2 {
      #expect(try schema.migrate(to: 18) == ["outages"])
      #expect(try fresh.lines("select count(*) from outage_overview") == ["0"])
      #expect(try schema.migrate(to: 17) == ["undo outages"])
      #expect(try fresh.lines("select to_regclass('outage') is null") == ["t"])
    }
  }
}
