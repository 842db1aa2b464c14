import CPostgreSQL
import EventLoop
import Glibc
import Instants

/// A link to a database.
///
/// After a call of `run` with statements that throws an error of the server, its transaction has ended and the link can be used again.
/// After any other call that throws, the link cannot be used again.
public final class PostgreSQLConnection {
  private let connection: OpaquePointer
  /// The time limit of a call, which applies even if the server hangs.
  private let limit: Span

  /// Connects with the parameters of a connection string of libpq.
  public init(_ parameters: String, limit: Span = .seconds(15)) throws(PostgreSQLError) {
    // The parameters of the user, which come last, have precedence.
    let names = ["application_name", "connect_timeout", "tcp_user_timeout", "keepalives_idle", "dbname"]
    let values = ["beaconmon-hub", "5", "10000", "10", parameters]
    let connected = names.withCStrings { names in
      values.withCStrings { values in
        PQconnectdbParams(names, values, 1)
      }
    }
    guard let connected else { throw PostgreSQLError(message: "out of memory") }
    // From here on deinit runs even if the initializer throws.
    (connection, self.limit) = (connected, limit)
    guard PQstatus(connection) == CONNECTION_OK, PQsetnonblocking(connection, 1) == 0 else { throw failure() }
    // The library prints notices otherwise, such as that a table exists already.
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
  }

  deinit { PQfinish(connection) }

  /// Runs a text of statements without parameters, and returns the rows of the last one.
  @discardableResult
  public func run(script: String) throws(PostgreSQLError) -> PostgreSQLRows {
    guard PQsendQuery(connection, script) == 1 else { throw failure() }
    let deadline = MonotonicClock.now + limit
    try flush(until: deadline)
    var rows = PostgreSQLRows()
    var error: PostgreSQLError?
    while let result = try result(until: deadline) {
      defer { PQclear(result) }
      do throws(PostgreSQLError) {
        rows = try Self.rows(of: result)
      } catch let found {
        error = error ?? found
      }
    }
    if let error { throw error }
    return rows
  }

  /// Throws unless the server answers.
  public func check() throws(PostgreSQLError) { try run(script: "select 1") }

  /// Makes statements known to the server by a name.
  public func prepare(_ statements: KeyValuePairs<String, String>) throws(PostgreSQLError) {
    for (name, text) in statements {
      guard PQsendPrepare(connection, name, text, 0, nil) == 1 else { throw failure() }
      let deadline = MonotonicClock.now + limit
      try flush(until: deadline)
      while let result = try result(until: deadline) {
        defer { PQclear(result) }
        _ = try Self.rows(of: result)
      }
    }
  }

  /// Runs one statement.
  @discardableResult
  public func run(_ statement: PostgreSQLStatement) throws(PostgreSQLError) -> PostgreSQLRows { try run([statement])[0] }

  /// Runs statements in one round trip, and returns the rows of each. They are one transaction.
  ///
  /// The transaction is repeated if the database undid it because it and another one waited for each other.
  @discardableResult
  public func run(_ statements: [PostgreSQLStatement]) throws(PostgreSQLError) -> [PostgreSQLRows] {
    for _ in 0..<Self.mostRepetitions {
      do throws(PostgreSQLError) { return try attempt(statements) } catch {
        guard error.isOfConcurrency else { throw error }
        try endPipeline(of: statements.count)
      }
    }
    return try attempt(statements)
  }

  /// The maximum number of repetitions of a transaction.
  private static let mostRepetitions = 4

  /// Reads what is left of a pipeline after an error.
  private func endPipeline(of statements: Int) throws(PostgreSQLError) {
    // With some versions of libpq, the attempt has read the end already; 15.18 is one.
    guard PQpipelineStatus(connection) != PQ_PIPELINE_OFF else { return }
    let deadline = MonotonicClock.now + limit
    // Each statement has a result and a null pointer.
    for _ in 0...2 * statements {
      guard let result = try result(until: deadline) else { continue }
      defer { PQclear(result) }
      guard PQresultStatus(result) == PGRES_PIPELINE_SYNC else { continue }
      guard PQexitPipelineMode(connection) == 1 else { throw failure() }
      return
    }
    throw PostgreSQLError(message: "a failed transaction has no end")
  }

  private func attempt(_ statements: [PostgreSQLStatement]) throws(PostgreSQLError) -> [PostgreSQLRows] {
    guard PQenterPipelineMode(connection) == 1 else { throw failure() }
    for statement in statements { try send(statement) }
    guard PQpipelineSync(connection) == 1 else { throw failure() }
    let deadline = MonotonicClock.now + limit
    try flush(until: deadline)
    var all: [PostgreSQLRows] = []
    var refusal: PostgreSQLError?
    for _ in statements {
      guard let result = try result(until: deadline) else { throw refusal ?? failure() }
      defer { PQclear(result) }
      // The server skips the statements after the one that failed.
      if refusal == nil {
        do throws(PostgreSQLError) { all.append(try Self.rows(of: result)) } catch { refusal = error }
      }
      // A null pointer ends the results of a statement.
      if let surplus = try self.result(until: deadline) {
        PQclear(surplus)
        throw PostgreSQLError(message: "a statement has two results")
      }
    }
    // The transaction is committed when the end of the pipeline is confirmed.
    guard let end = try result(until: deadline) else { throw refusal ?? failure() }
    defer { PQclear(end) }
    guard PQresultStatus(end) == PGRES_PIPELINE_SYNC, PQexitPipelineMode(connection) == 1 else { throw refusal ?? failure(of: end) }
    if let refusal { throw refusal }
    return all
  }

  private func send(_ statement: PostgreSQLStatement) throws(PostgreSQLError) {
    let octets: [[UInt8]?] = statement.values.map {
      switch $0 {
      case .text(let text): Array(text.utf8) + [0]
      case .array(let array): array.octets
      case .null: nil
      }
    }
    let lengths = octets.map { Int32($0?.count ?? 0) }
    let formats: [Int32] = statement.values.map { if case .array = $0 { 1 } else { 0 } }
    let count = Int32(octets.count)
    let isSent = octets.withPointers { values in
      switch statement.command {
      case .prepared(let name): PQsendQueryPrepared(connection, name, count, values, lengths, formats, 0)
      case .text(let text): PQsendQueryParams(connection, text, count, nil, values, lengths, formats, 0)
      }
    }
    guard isSent == 1 else { throw failure() }
  }

  /// Returns the number of notifications that have arrived since the call before, and forgets them. It does not wait.
  public func takeNotifications() throws(PostgreSQLError) -> Int {
    guard PQconsumeInput(connection) == 1 else { throw failure() }
    var count = 0
    while let notification = PQnotifies(connection) {
      PQfreemem(notification)
      count += 1
    }
    return count
  }

  // MARK: Waiting

  private func flush(until deadline: Instant) throws(PostgreSQLError) {
    while true {
      switch PQflush(connection) {
      case 0: return
      case 1:
        // The server may be unable to read before its answers are read.
        try wait(for: Int16(POLLIN | POLLOUT), until: deadline)
        guard PQconsumeInput(connection) == 1 else { throw failure() }
      default: throw failure()
      }
    }
  }

  private func result(until deadline: Instant) throws(PostgreSQLError) -> OpaquePointer? {
    while PQisBusy(connection) == 1 {
      try wait(for: Int16(POLLIN), until: deadline)
      guard PQconsumeInput(connection) == 1 else { throw failure() }
    }
    return PQgetResult(connection)
  }

  private func wait(for events: Int16, until deadline: Instant) throws(PostgreSQLError) {
    let left = (deadline - MonotonicClock.now).microseconds / 1000
    var descriptor = pollfd(fd: PQsocket(connection), events: events, revents: 0)
    guard descriptor.fd >= 0 else { throw failure() }
    guard left > 0, poll(&descriptor, 1, Int32(clamping: left)) != 0 else {
      throw PostgreSQLError(message: "no answer in \(Int(limit.seconds)) seconds")
    }
  }

  // MARK: Results

  private static func rows(of result: OpaquePointer) throws(PostgreSQLError) -> PostgreSQLRows {
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK: return PostgreSQLRows()
    case PGRES_TUPLES_OK:
      let columns = 0..<PQnfields(result)
      return PostgreSQLRows(
        columns: columns.map { String(cString: PQfname(result, $0)) },
        rows: (0..<PQntuples(result)).map { row in
          columns.map { PQgetisnull(result, row, $0) == 1 ? nil : String(cString: PQgetvalue(result, row, $0)) }
        })
    default: throw error(in: result)
    }
  }

  private static func error(in result: OpaquePointer) -> PostgreSQLError {
    // The symbols for the fields are macros that Swift imports as characters.
    func field(_ symbol: Unicode.Scalar) -> String? { PQresultErrorField(result, Int32(UInt8(ascii: symbol))).map { String(cString: $0) } }
    return PostgreSQLError(code: field("C") ?? "", message: text(PQresultErrorMessage(result)), constraint: field("n"))
  }

  private func failure(of result: OpaquePointer) -> PostgreSQLError {
    let error = Self.error(in: result)
    return error.message.isEmpty ? failure() : error
  }

  private func failure() -> PostgreSQLError { PostgreSQLError(message: Self.text(PQerrorMessage(connection))) }

  /// Returns a message of the library on one line.
  private static func text(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return "" }
    return String(cString: message).split(separator: "\n").map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: "; ")
  }
}
