import PostgreSQL

extension PostgreSQLConnection {
  /// Sets the limits of a service on a new connection, whatever the server's defaults are.
  ///
  /// A commit that is acknowledged survives a crash. The server ends a slow statement, and a transaction that does nothing, before the
  /// time limit of the connection.
  func beginService() throws(PostgreSQLError) {
    try run(
      script: """
        set synchronous_commit = on; set lock_timeout = '8s'; set statement_timeout = '12s'; set idle_in_transaction_session_timeout = '5s';
        set jit = off
        """)
  }
}
