public import Logging

/// Logs the failures of the database, each row of them once.
public struct ArchiveLog {
  private let log: Logger
  /// The failure that was logged; empty after a success.
  private var failure = ""
  private var isFull = false

  public init(_ log: Logger) { self.log = log }

  /// Logs the first failure in a row, a schema that does not fit, and the end of failures.
  ///
  /// - Parameter error: the failure of a query; nil if it succeeded
  public mutating func note(_ error: (any ArchiveError)?) {
    guard let error else {
      if !failure.isEmpty { log.notice("the database answers again") }
      failure = ""
      return
    }
    guard failure.isEmpty || error.isOfSchema && failure != "\(error)" else { return }
    failure = "\(error)"
    log.error("\(failure)")
  }

  /// Logs the first query in a row that is refused because too many wait.
  ///
  /// - Parameter most: the number of queries that may wait
  public mutating func note(isRefused: Bool, waiting most: Int) {
    if isRefused, !isFull { log.error("\(most) queries wait for the database, and further ones are refused; it answers too slowly") }
    isFull = isRefused
  }
}
