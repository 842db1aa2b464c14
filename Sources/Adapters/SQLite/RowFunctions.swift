internal import CSQLite

/// The SQL functions of checked tables, available on every connection:
///
/// - `row_checksum(id, table, value, …)`: the checksum of a row in the database with this id;
/// - `rows_digest(checksum)`: an aggregate that combines the checksums of rows in any order.
enum RowFunctions {
  static func register(with handle: OpaquePointer) -> Int32 {
    // Innocuous functions may be used by a schema that is not trusted, because they can do no harm.
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(handle, "row_checksum", -1, flags, nil, rowChecksum, nil, nil, nil)
    guard code == SQLITE_OK else { return code }
    return sqlite3_create_function_v2(handle, "rows_digest", 1, flags, nil, nil, addToDigest, writeDigest, nil)
  }
}

private func rowChecksum(_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
  guard count >= 2, let values else {
    sqlite3_result_error(context, "row_checksum needs an id and a table", -1)
    return
  }
  var hash = RowHash()
  for index in 1..<Int(count) {
    let value = values[index]
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: hash.add(sqlite3_value_int64(value))
    case SQLITE_FLOAT: hash.add(sqlite3_value_double(value))
    case SQLITE_TEXT:
      // SQLite requires the octets to be read before their count, because reading may convert them.
      let octets = sqlite3_value_text(value)
      hash.add(text: UnsafeRawBufferPointer(start: octets, count: octets == nil ? 0 : Int(sqlite3_value_bytes(value))))
    case SQLITE_BLOB:
      let octets = sqlite3_value_blob(value)
      hash.add(blob: UnsafeRawBufferPointer(start: octets, count: octets == nil ? 0 : Int(sqlite3_value_bytes(value))))
    default: hash.addNull()
    }
  }
  // The id is combined last, so that it can be recovered from the rows if everything else is damaged.
  sqlite3_result_int64(context, Int64(bitPattern: hash.value) ^ sqlite3_value_int64(values[0]))
}

private func addToDigest(_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
  guard let values, let digest = sqlite3_aggregate_context(context, 8)?.assumingMemoryBound(to: Int64.self) else { return }
  digest.pointee ^= sqlite3_value_int64(values[0])
}

private func writeDigest(_ context: OpaquePointer?) {
  // Without rows, no memory is allocated.
  let digest = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: Int64.self)
  sqlite3_result_int64(context, digest?.pointee ?? 0)
}
