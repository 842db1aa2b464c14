import EventLoop
import FleetDatabase
import FleetPage
import PostgreSQL
import Testing

@testable import PageDatabase

/// The links of the page to a real database, and the errors after which they are opened again.
@Suite struct PageLinkTests {
  private typealias Link = RenewedLink<PostgreSQLConnection, PostgreSQLError>

  private let administration: PostgreSQLConnection
  private let parameters: String

  init() throws {
    parameters = try PrivateServer.fleet()
    administration = try PostgreSQLConnection(parameters)
    try administration.run(script: "create table change(number int4)")
  }

  private func link() -> Link {
    Link {
      MonotonicClock.now
    } open: { [parameters] () throws(PostgreSQLError) in
      try PageDatabase.open("\(parameters) application_name=page") { try FleetSchema($0).check() }
    } test: { connection throws(PostgreSQLError) in
      try connection.check()
    }
  }

  private func insert(_ link: inout Link) -> Result<Void, PostgreSQLError> {
    link.run(isChange: true) { connection throws(PostgreSQLError) in _ = try connection.run(script: "insert into change values (1)") }
  }

  @Test("a change after a restart of the database gets a new connection, and runs once")
  func restart() throws {
    var link = link()
    try insert(&link).get()
    try administration.run(
      script: "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'page' and datname = current_database()")
    try insert(&link).get()
    #expect(try administration.lines("select count(*) from change") == ["2"])
  }

  @Test("a change that loses its connection fails, and does not run again")
  func once() throws {
    var (link, runs) = (link(), 0)
    let result = link.run(isChange: true) { connection throws(PostgreSQLError) in
      runs += 1
      _ = try connection.run(script: "select pg_terminate_backend(pg_backend_pid())")
    }
    #expect(throws: PostgreSQLError.self) { try result.get() }
    #expect(runs == 1)
  }

  @Test("after a migration, the error names the schema in place of a table")
  func migration() throws {
    var link = link()
    try insert(&link).get()
    _ = try FleetSchema(administration).migrate(to: 17)
    let result = link.run(isChange: false) { connection throws(PostgreSQLError) in
      try connection.run(script: "select state from outage_overview")
    }
    guard case .failure(let error) = result else {
      Issue.record("a missing view was read")
      return
    }
    #expect(error.isOfSchema && error.message.contains("the database has schema 17"))
  }
}
