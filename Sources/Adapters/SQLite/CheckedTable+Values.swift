extension CheckedTable {
  /// Returns the checksum of a row that was read without SQLite.
  ///
  /// - Parameter values: the values in the order of `columns`.
  public func checksum(of values: [DatabaseValue], id: Int64) -> Int64 { checksum(of: values) ^ id }

  /// Returns the id of the database that an intact row was written to.
  public func id(of values: [DatabaseValue], checksum: Int64) -> Int64 { self.checksum(of: values) ^ checksum }

  private func checksum(of values: [DatabaseValue]) -> Int64 {
    var hash = RowHash()
    for value in [.text(name)] + values {
      switch value {
      case .null: hash.addNull()
      case .integer(let integer): hash.add(integer)
      case .real(let real): hash.add(real)
      case .text(var text): text.withUTF8 { hash.add(text: UnsafeRawBufferPointer($0)) }
      case .blob(let octets): octets.withUnsafeBytes { hash.add(blob: $0) }
      }
    }
    return Int64(bitPattern: hash.value)
  }
}
