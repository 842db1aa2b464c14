internal import CSQLite

/// A prepared statement, whose values replace `?` in their order.
///
/// A statement can run again only after all its rows were read or it was reset, which each method ensures.
public final class Statement {
  private let database: Database
  private let handle: OpaquePointer

  init(_ database: Database, _ sql: String) throws(DatabaseError) {
    self.database = database
    try database.requireUsable()
    var prepared: OpaquePointer?
    try database.check(sqlite3_prepare_v3(database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
    guard let prepared else { throw DatabaseError(.statement, path: database.path, message: "an empty statement") }
    handle = prepared
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Runs the statement to its end.
  public func run(_ values: DatabaseValue...) throws(DatabaseError) {
    try each(values) { _ in true }
  }

  /// Returns the result of `read` for the first row; `nil` without rows.
  public func first<Value>(_ values: DatabaseValue..., read: (borrowing Row) throws(DatabaseError) -> Value) throws(DatabaseError) -> Value?
  {
    var result: Value?
    try each(values) { (row) throws(DatabaseError) in
      result = try read(row)
      return false
    }
    return result
  }

  /// Returns the results of `read` for all rows.
  public func all<Value>(_ values: DatabaseValue..., read: (borrowing Row) throws(DatabaseError) -> Value) throws(DatabaseError) -> [Value]
  {
    var results: [Value] = []
    try each(values) { (row) throws(DatabaseError) in
      results.append(try read(row))
      return true
    }
    return results
  }

  /// Calls `body` with each row until it returns false.
  public func each(_ values: [DatabaseValue], _ body: (borrowing Row) throws(DatabaseError) -> Bool) throws(DatabaseError) {
    try database.requireUsable()
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
      throw DatabaseError(.statement, path: database.path, message: "\(values.count) values for another number of places")
    }
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: if try !body(Row(handle)) { return }
      case SQLITE_DONE: return
      case let code: try database.check(code)
      }
    }
  }

  private func bind(_ value: DatabaseValue, at index: Int32) throws(DatabaseError) {
    let code =
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
      case .real(let real): sqlite3_bind_double(handle, index, real)
      case .text(var text): text.withUTF8 { octets in bind(text: octets, at: index) }
      case .blob(let octets): octets.withUnsafeBytes { bind(blob: $0, at: index) }
      }
    try database.check(code)
  }

  /// Binds a text. An empty buffer may have no address, which SQLite would take for NULL.
  private func bind(text octets: UnsafeBufferPointer<UInt8>, at index: Int32) -> Int32 {
    guard let start = octets.baseAddress else { return sqlite_bind_text(handle, index, "", 0) }
    return start.withMemoryRebound(to: CChar.self, capacity: octets.count) { sqlite_bind_text(handle, index, $0, Int32(octets.count)) }
  }

  private func bind(blob octets: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
    octets.isEmpty ? sqlite3_bind_zeroblob(handle, index, 0) : sqlite_bind_blob(handle, index, octets.baseAddress, Int32(octets.count))
  }
}

/// The current row of a statement.
///
/// Columns are numbered from 0. A NULL, or a value of another storage class, is `nil`.
public struct Row: ~Copyable {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  public func integer(_ column: Int) -> Int64? {
    type(column) == SQLITE_INTEGER ? sqlite3_column_int64(handle, Int32(column)) : nil
  }

  /// Returns a real, or an integer as a real.
  public func real(_ column: Int) -> Double? {
    [SQLITE_FLOAT, SQLITE_INTEGER].contains(type(column)) ? sqlite3_column_double(handle, Int32(column)) : nil
  }

  /// Returns a text; invalid UTF-8 is repaired.
  public func text(_ column: Int) -> String? {
    guard type(column) == SQLITE_TEXT, let octets = sqlite3_column_text(handle, Int32(column)) else { return nil }
    return String(decoding: UnsafeBufferPointer(start: octets, count: length(column)), as: UTF8.self)
  }

  public func blob(_ column: Int) -> [UInt8]? {
    guard type(column) == SQLITE_BLOB else { return nil }
    return Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(handle, Int32(column)), count: length(column)))
  }

  public func value(_ column: Int) -> DatabaseValue {
    switch type(column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(real(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(blob(column) ?? [])
    default: .null
    }
  }

  private func type(_ column: Int) -> Int32 { sqlite3_column_type(handle, Int32(column)) }
  private func length(_ column: Int) -> Int { Int(sqlite3_column_bytes(handle, Int32(column))) }
}
