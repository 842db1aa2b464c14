import FleetDatabase
import PostgreSQL
import Testing

@testable import PageDatabase

/// The connections of the page.
@Suite struct RenewedConnectionTests {
  private let administration: PostgreSQLConnection
  private let parameters: String

  init() throws {
    parameters = try PrivateServer.fleet()
    administration = try PostgreSQLConnection(parameters)
    try administration.run(script: "create table change(number int4)")
  }

  private func connection() -> RenewedConnection {
    RenewedConnection("\(parameters) application_name=page") { try FleetSchema($0).check() }
  }

  private func insert(_ connection: inout RenewedConnection) -> Result<Void, PostgreSQLError> {
    connection.run(isChange: true) { connection throws(PostgreSQLError) in _ = try connection.run(script: "insert into change values (1)") }
  }

  @Test("a change after a restart of the database gets a new connection, and runs once")
  func restart() throws {
    var connection = connection()
    try insert(&connection).get()
    try administration.run(script: "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'page'")
    try insert(&connection).get()
    #expect(try administration.lines("select count(*) from change") == ["2"])
  }

  @Test("a change that loses its connection fails, and does not run again")
  func once() throws {
    var (connection, runs) = (connection(), 0)
    let result = connection.run(isChange: true) { connection throws(PostgreSQLError) in
      runs += 1
      _ = try connection.run(script: "select pg_terminate_backend(pg_backend_pid())")
    }
    #expect(throws: PostgreSQLError.self) { try result.get() }
    #expect(runs == 1)
  }

  @Test("after a migration, the error names the schema in place of a table")
  func migration() throws {
    var connection = connection()
    try insert(&connection).get()
    _ = try FleetSchema(administration).migrate(to: 17)
    let result = connection.run(isChange: false) { connection throws(PostgreSQLError) in
      try connection.run(script: "select state from outage_overview")
    }
    guard case .failure(let error) = result else {
      Issue.record("a missing view was read")
      return
    }
    #expect(error.code == RenewedConnection.otherSchema && error.message.contains("the database has schema 17"))
  }
}
