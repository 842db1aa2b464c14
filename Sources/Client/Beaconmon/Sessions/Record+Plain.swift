internal import Records

extension Record {
  /// Reads what a D-Bus binding makes of `a{sv}`. Ignores values of other kinds.
  init(plain details: [String: Any]) {
    self.init()
    for (key, value) in details { append(key, RecordValue(plain: value)) }
  }
}

extension RecordValue {
  /// Bindings differ in the integers that they have, so every integer is a count.
  fileprivate init?(plain value: Any) {
    switch value {
    case let text as String: self = .text(text)
    case let flag as Bool: self = .flag(flag)
    case let number as any BinaryInteger:
      guard let count = UInt64(exactly: number) else { return nil }
      self = .count(count)
    case let quantity as Double: self = .quantity(quantity, decimals: 3)
    case let details as [String: Any]: self = .record(Record(plain: details))
    default: return nil
    }
  }
}
