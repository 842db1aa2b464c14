import EventLoop
import Instants
import PostgreSQL

/// A connection to the database that is opened again after a failure.
struct RenewedConnection {
  /// The code of the error of a database with the schema of another version.
  static let otherSchema = "HUB02"

  /// The time limit of a statement, after which the database ends it. The connection waits a little longer.
  private static let script = "set statement_timeout = '5s'; set idle_in_transaction_session_timeout = '10s'; set time zone 'UTC'"
  private static let limit = Span.seconds(8)
  /// The time after a failure in which no new connection is tried.
  ///
  /// The waiting queries fail instead of each waiting for an attempt.
  private static let pause = Span.seconds(1)

  private let parameters: String
  private let check: @Sendable (PostgreSQLConnection) throws -> Void
  private var connection: PostgreSQLConnection?
  private var lastFailure: (time: Instant, error: PostgreSQLError)?

  /// - Parameters:
  ///   - parameters: a connection string of libpq
  ///   - check: throws unless a database has the schema of this program
  init(_ parameters: String, check: @escaping @Sendable (PostgreSQLConnection) throws -> Void) {
    (self.parameters, self.check) = (parameters, check)
  }

  /// Does the work of a query, perhaps on a new connection.
  ///
  /// The connection may have failed since it was used last, as after a restart of the database. Work that changes nothing is then repeated
  /// once. Before a change, which never runs twice, the connection is tested.
  mutating func run<Value>(
    isChange: Bool, _ work: (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) -> Result<Value, PostgreSQLError> {
    let wasConnected = connection != nil
    if isChange, wasConnected { _ = attempt { connection throws(PostgreSQLError) in _ = try connection.run(script: "select 1") } }
    let result = attempt(work)
    guard case .failure(let error) = result else { return result }
    // A migration under an open connection. The schema says more than the name of a table that is missing.
    if error.isOfSchema, case .failure(let reason) = attempt({ _ throws(PostgreSQLError) in () }) { return .failure(reason) }
    guard wasConnected, !isChange, error.isOfConnection else { return result }
    return attempt(work)
  }

  private mutating func attempt<Value>(_ work: (PostgreSQLConnection) throws(PostgreSQLError) -> Value) -> Result<Value, PostgreSQLError> {
    do throws(PostgreSQLError) {
      return .success(try work(try connected()))
    } catch {
      // After an error the state of the connection is unknown, so the next query gets a new one.
      connection = nil
      return .failure(error)
    }
  }

  private mutating func connected() throws(PostgreSQLError) -> PostgreSQLConnection {
    if let connection { return connection }
    if let lastFailure, MonotonicClock.now - lastFailure.time <= Self.pause { throw lastFailure.error }
    do throws(PostgreSQLError) {
      let new = try PostgreSQLConnection(parameters, limit: Self.limit)
      try new.run(script: Self.script)
      try requireSchema(of: new)
      connection = new
      return new
    } catch {
      lastFailure = (MonotonicClock.now, error)
      throw error
    }
  }

  private func requireSchema(of new: PostgreSQLConnection) throws(PostgreSQLError) {
    do { try check(new) } catch let error as PostgreSQLError {
      throw error
    } catch {
      throw PostgreSQLError(code: Self.otherSchema, message: "\(error)")
    }
  }
}

extension PostgreSQLError {
  /// Whether the connection failed, or the database ended it (class "operator intervention").
  fileprivate var isOfConnection: Bool { code.isEmpty || code.hasPrefix("57P") }

  /// Whether a table, a column or a function is missing (class "syntax error or access rule violation").
  fileprivate var isOfSchema: Bool { code.hasPrefix("42") }
}
