import FleetDatabase
import PostgreSQL
import Testing

@Suite struct SchemaWaitTests {
  private let parameters: String

  init() throws { parameters = try PrivateServer.fleet() }

  @Test("a program waits for a database that starts, and reports each error once")
  func waiting() throws {
    var (attempts, pauses) = (0, 0)
    var reported: [String] = []
    try FleetSchema.checkPatiently {
      attempts += 1
      return try PostgreSQLConnection(attempts <= 3 ? "host=/nonexistent\(attempts / 3) dbname=fleet" : parameters)
    } report: {
      reported.append("\($0)")
    } pause: {
      pauses += 1
    }
    #expect(attempts == 4 && pauses == 3)
    #expect(reported.count == 2 && reported[0].contains("/nonexistent0") && reported[1].contains("/nonexistent1"))
  }

  @Test("a program ends if the schema is that of another version")
  func ending() throws {
    let connection = try PostgreSQLConnection(parameters)
    try connection.run(script: "insert into schema_version values (99, 'later')")
    var pauses = 0
    #expect(throws: SchemaError.self) {
      try FleetSchema.checkPatiently {
        try PostgreSQLConnection(parameters)
      } report: { _ in
      } pause: {
        pauses += 1
      }
    }
    #expect(pauses == 0)
  }
}
