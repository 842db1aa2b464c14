import FleetDatabase
import PostgreSQL
import Testing

@Suite struct AcquisitionTests {
  private let parameters: String
  private let store: IngestDatabase
  private let epoch: Int64
  /// Stands for the session of the owner, of which nothing more comes.
  private let owner: PostgreSQLConnection

  init() throws {
    parameters = try PrivateServer.fleet()
    store = try IngestDatabase(try PostgreSQLConnection(parameters))
    epoch = try store.acquire(queue: 0, worker: "stopped")
    owner = try PostgreSQLConnection(parameters)
  }

  private func lock(as name: String) throws {
    try owner.run(script: "set application_name = '\(name)'; begin; select 1 from queue where queue = 0 for share")
    try PostgreSQLConnection(parameters).run(script: "select pg_sleep(2.1)")
  }

  @Test("a queue is taken from an owner that stopped within its transaction") func stopped() throws {
    try lock(as: "stopped")
    #expect(try store.acquire(queue: 0, worker: "next") == epoch + 1)
    #expect(throws: PostgreSQLError.self) { try owner.run(script: "commit") }
  }

  @Test("a transaction of another program is not ended, and the queue is refused after a limit") func foreign() throws {
    try lock(as: "psql")
    #expect(throws: PostgreSQLError.self) { try store.acquire(queue: 0, worker: "next") }
    try owner.run(script: "commit")
    #expect(try store.acquire(queue: 0, worker: "next") == epoch + 1)
  }

  @Test("an owner that works on its transaction finishes it") func busy() throws {
    try owner.run(script: "set application_name = 'stopped'; begin; select 1 from queue where queue = 0 for share")
    #expect(throws: PostgreSQLError.self) { try store.acquire(queue: 0, worker: "next") }
    try owner.run(script: "commit")
  }

  @Test("the sessions of a worker have its name") func name() throws {
    let connection = try PostgreSQLConnection(parameters)
    let worker = try IngestDatabase(connection)
    _ = try worker.register(worker: String(repeating: "n", count: 70))
    #expect(try connection.lines("select current_setting('application_name')") == [String(repeating: "n", count: 63)])
  }
}
