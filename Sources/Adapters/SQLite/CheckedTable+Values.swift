extension CheckedTable {
  /// The checksum of a row that was read without SQLite.
  ///
  /// - Parameter values: in the order of `columns`.
  public func checksum(of values: [DatabaseValue], id: Int64) -> Int64 { checksum(of: values) ^ id }

  /// The id of the database that a row was written to, if nothing of it is damaged.
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
