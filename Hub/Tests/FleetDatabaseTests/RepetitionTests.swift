import PostgreSQL
import Testing

/// Transactions that the database undid because of another one.
@Suite struct RepetitionTests {
  private let connection: PostgreSQLConnection

  init() throws {
    connection = try PostgreSQLConnection(try PrivateServer.fleet())
    // The next value of a sequence stays if its transaction is undone.
    try connection.run(
      script: """
        create temporary sequence attempt;
        create function pg_temp.fail_until(last int8) returns int8 language plpgsql as $$
        declare present int8 := nextval('attempt');
        begin
          if present < last then raise exception 'undone' using errcode = '40P01'; end if;
          return present;
        end $$
        """)
  }

  @Test("a transaction that waited for another one is repeated, and the connection works afterwards")
  func repeated() throws {
    let rows = try connection.run([
      PostgreSQLStatement("select 1"), PostgreSQLStatement("select pg_temp.fail_until(3)"), PostgreSQLStatement("select 2"),
    ])
    #expect(rows.map(\.first) == ["1", "3", "2"])
    #expect(try connection.run(PostgreSQLStatement("select 4")).first == "4")
  }

  @Test("a transaction that the database undoes again and again fails with its error, and the connection works afterwards")
  func givenUp() throws {
    #expect(throws: PostgreSQLError.self) { try connection.run(PostgreSQLStatement("select pg_temp.fail_until(100)")) }
    #expect(try connection.run(PostgreSQLStatement("select nextval('attempt')")).first == "6")
  }
}
