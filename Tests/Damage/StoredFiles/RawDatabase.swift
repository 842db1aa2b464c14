internal import CSQLite

/// SQLite without the product's own code: it damages rows, and finds out which rows can be read.
public final class RawDatabase {
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  public enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// The text as the product reads it, with U+FFFD for invalid UTF-8; nil for another type.
    public var string: String? { if case .text(let octets) = self { String(decoding: octets, as: UTF8.self) } else { nil } }
    public var number: Int64? { if case .integer(let number) = self { number } else { nil } }
  }

  private let handle: OpaquePointer

  public init(_ path: String) throws {
    var opened: OpaquePointer?
    // Bypasses the VFS that injects faults.
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix")
    guard let opened else { throw Failure(description: "out of memory") }
    handle = opened
    guard code == SQLITE_OK else {
      let message = String(cString: sqlite3_errmsg(opened))
      sqlite3_close_v2(opened)
      throw Failure(description: message)
    }
    // A trial writes much, and its files need not survive.
    sqlite3_exec(handle, "PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON", nil, nil, nil)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  public func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  /// Runs one statement with values for `?` and ignores its rows.
  public func run(_ sql: String, _ values: [Value]) throws {
    try each(sql, values) { _ in }
  }

  /// Returns the rows up to the first unreadable one, which ends them without an error.
  public func readableRows(_ sql: String) -> [[Value]] {
    var rows: [[Value]] = []
    do { try each(sql, []) { rows.append($0) } } catch {
      // The product need not read unreadable rows either.
    }
    return rows
  }

  public func rows(_ sql: String) throws -> [[Value]] {
    var rows: [[Value]] = []
    try each(sql, []) { rows.append($0) }
    return rows
  }

  private func each(_ sql: String, _ values: [Value], _ body: ([Value]) -> Void) throws {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(sql) }
    defer { sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      switch value {
      case .null: sqlite3_bind_null(statement, place)
      case .integer(let number): sqlite3_bind_int64(statement, place, number)
      case .real(let number): sqlite3_bind_double(statement, place, number)
      case .text(let octets):
        // A terminating zero gives an empty value an address, so that it is not NULL.
        (octets + [0]).withUnsafeBytes {
          _ = sqlite_bind_text(statement, place, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(octets.count))
        }
      case .blob(let octets):
        octets.withUnsafeBytes { _ = sqlite_bind_blob(statement, place, $0.baseAddress, Int32(octets.count)) }
      }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: body((0..<sqlite3_column_count(statement)).map { value(statement, $0) })
      case SQLITE_DONE: return
      default: throw failure(sql)
      }
    }
  }

  private func value(_ statement: OpaquePointer?, _ column: Int32) -> Value {
    func octets() -> [UInt8] {
      // SQLite requires the pointer to be read before its length.
      let start = sqlite3_column_blob(statement, column)
      return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
    return switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: .text(octets())
    case SQLITE_BLOB: .blob(octets())
    default: .null
    }
  }

  private func failure(_ sql: String) -> Failure { Failure(description: "\(String(cString: sqlite3_errmsg(handle))): \(sql)") }
}

extension RawDatabase {
  /// Returns the rows that a scan from either end reaches, each once.
  public func rowsFromBothEnds(_ sql: String, by order: [String]) -> Set<[Value]> {
    let forward = readableRows("\(sql) ORDER BY \(order.joined(separator: ", "))")
    let backward = readableRows("\(sql) ORDER BY \(order.map { "\($0) DESC" }.joined(separator: ", "))")
    return Set(forward).union(backward)
  }
}
