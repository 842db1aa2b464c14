import FleetDatabase
import FleetStatus
import Ingest
import Instants
import PostgreSQL
import Testing

/// A clock that a test sets.
private final class SetClock: IngestClock, @unchecked Sendable {
  var uptime = Instant(microseconds: 0)
  let wallTime = Instant(microseconds: 0)

  func pass(_ seconds: Double) { uptime += .seconds(seconds) }
}

@Suite struct OutageTests {
  private let parameters: String
  private let connection: PostgreSQLConnection
  private let clock = SetClock()
  private static let full = PostgreSQLError(code: "53100", message: "could not extend file: No space left on device")

  init() throws {
    parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
  }

  private func outages() -> OutageDatabase {
    let parameters = parameters
    return OutageDatabase(clock: clock) { try PostgreSQLConnection(parameters) }
  }

  private func shown() throws -> [FleetStatus.Outage] { try StatusDatabase(try PostgreSQLConnection(parameters)).status().outages }

  @Test("a worker shows a full disk without writing, and stores its time when it is over")
  func database() throws {
    let worker = outages()
    #expect(!worker.note(PostgreSQLError(code: "25006", message: "read-only")) && !worker.note(PostgreSQLError(message: "no link")))
    #expect(try shown().isEmpty && worker.end() == nil)
    #expect(worker.note(PostgreSQLError(message: "connection to server failed: FATAL:  could not write init file")))
    clock.pass(60)
    #expect(worker.note(Self.full))
    #expect(try connection.lines("select count(*) from outage") == ["0"])
    let outage = try #require(try shown().first)
    #expect(outage.part == .database && outage.cause == "disk" && outage.ended == nil && (0...20).contains(outage.since ?? -1))
    #expect(try worker.end() == .seconds(60) && worker.end() == nil)
    let ended = try #require(try shown().first)
    #expect((60...80).contains(ended.since ?? 0) && (0...20).contains(ended.ended ?? -1))
  }

  @Test("the time of a full disk is that of the first failure, although the database took no link then")
  func laterLink() throws {
    var isDown = true
    let parameters = parameters
    let worker = OutageDatabase(clock: clock) {
      if isDown { throw PostgreSQLError(message: "no link") }
      return try PostgreSQLConnection(parameters)
    }
    #expect(worker.note(Self.full))
    #expect(try shown().isEmpty)
    clock.pass(3600)
    isDown = false
    #expect(worker.note(Self.full))
    #expect(try (3600...3620).contains(shown().first?.since ?? 0))
  }

  @Test("an outage begins not later than its first failure, in any part of a second")
  func fraction() throws {
    let worker = outages()
    // Until a part of a second that a cast to an integer rounds up.
    try connection.run(script: "select pg_sleep((1.7 - extract(epoch from clock_timestamp()) % 1)::float8)")
    #expect(worker.note(Self.full))
    #expect(try connection.lines("select began_at <= now() from outage_overview") == ["t"])
  }

  @Test("a worker that ends takes the lock along, and the earliest of several counts")
  func workers() throws {
    do {
      var isDown = true
      let parameters = parameters
      let first = OutageDatabase(clock: clock) {
        if isDown { throw PostgreSQLError(message: "no link") }
        return try PostgreSQLConnection(parameters)
      }
      let second = outages()
      #expect(first.note(Self.full))
      clock.pass(3600)
      isDown = false
      #expect(first.note(Self.full) && second.note(Self.full))
      #expect(try shown().count == 1 && (3600...3620).contains(shown()[0].since ?? 0))
      withExtendedLifetime((first, second)) {}
    }
    // The server notices the end of a link a little later.
    for _ in 0..<100 where try !shown().isEmpty { try connection.run(script: "select pg_sleep(0.05)") }
    #expect(try shown().isEmpty)
  }

  @Test("an outage ends although the database was restarted within it")
  func restarted() throws {
    let worker = outages()
    #expect(worker.note(Self.full))
    try connection.run(script: "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 4712")
    clock.pass(7)
    #expect(try worker.end() == .seconds(7) && worker.end() == nil)
  }

  @Test("two workers, and an outage that begins again at once, are one outage")
  func merged() throws {
    let (first, second) = (outages(), outages())
    #expect(first.note(Self.full))
    clock.pass(5)
    #expect(second.note(Self.full))
    clock.pass(25)
    #expect(try first.end() == .seconds(30) && second.end() == .seconds(25))
    #expect(try connection.lines("select count(*), round(extract(epoch from max(ended_at - began_at))) from outage") == ["1\t30"])
    try connection.run(script: "update outage set began_at = began_at - interval '1 hour', ended_at = ended_at - interval '1 hour'")
    #expect(first.note(Self.full))
    #expect(try first.end() == .seconds(0) && connection.lines("select count(*) from outage") == ["2"])
  }

  @Test("an alarm of the broker is one outage for all workers, and the first one that sees its end ends it")
  func broker() throws {
    let (first, second) = (outages(), outages())
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
    try outages().note(alarm: nil, for: .seconds(0))
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
