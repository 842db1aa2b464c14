import FleetDatabase
import PostgreSQL
import Testing

/// The limits of the connections of services.
@Suite struct ServiceConnectionTests {
  @Test func `workers, alerts and rollouts have the limits of a service, whatever the defaults are`() throws {
    let parameters = try PrivateServer.fleet() + " options='-c synchronous_commit=off -c jit=on'"
    let settings = ["synchronous_commit", "lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "jit"]
    let query = "select \(settings.map { "current_setting('\($0)')" }.joined(separator: ", "))"
    #expect(try PostgreSQLConnection(parameters).lines(query) == ["off\t0\t0\t0\ton"])
    let prepare: [(PostgreSQLConnection) throws -> Any] = [
      { try IngestDatabase($0) }, { try AlertDatabase($0) }, { try RolloutDatabase($0) },
    ]
    for prepare in prepare {
      let connection = try PostgreSQLConnection(parameters)
      let database = try prepare(connection)
      #expect(try connection.lines(query) == ["on\t8s\t12s\t5s\toff"], "\(type(of: database))")
    }
  }
}
