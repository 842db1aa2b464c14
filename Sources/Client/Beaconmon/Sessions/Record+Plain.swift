internal import Records

extension Record {
  /// Creates a record from the native form that a D-Bus binding gives `a{sv}`. Values of other kinds are ignored.
  init(plain details: [String: Any]) {
    self.init()
    for (key, value) in details { append(key, RecordValue(plain: value)) }
  }
}

extension RecordValue {
  /// Creates a value; every integer that is not negative becomes a count, because bindings differ in their integer types.
  fileprivate init?(plain value: Any) {
    switch value {
    case let text as String: self = .text(text)
    case let flag as Bool: self = .flag(flag)
    case let number as any BinaryInteger:
      if let count = UInt64(exactly: number) {
        self = .count(count)
      } else {
        guard let integer = Int64(exactly: number) else { return nil }
        self = .integer(integer)
      }
    case let quantity as Double: self = .quantity(quantity, decimals: 3)
    case let details as [String: Any]: self = .record(Record(plain: details))
    default: return nil
    }
  }
}
