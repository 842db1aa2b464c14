internal import Instants
internal import Records

extension Record {
  /// What a D-Bus binding makes of `a{sv}`. Values of other kinds are left out.
  init(plain details: [String: Any]) {
    self.init()
    for (key, value) in details { append(key, RecordValue(plain: value, of: key)) }
  }
}

extension RecordValue {
  /// Bindings differ in the integers that they have: what a number is, its key says.
  fileprivate init?(plain value: Any, of key: String) {
    switch value {
    case let text as String: self = .text(text)
    case let flag as Bool: self = .flag(flag)
    case let number as any BinaryInteger:
      if RecordKeys.times.contains(key) {
        self = .time(Instant(microseconds: Int64(clamping: number)))
      } else if RecordKeys.shorts.contains(key) {
        guard let short = UInt16(exactly: number) else { return nil }
        self = .short(short)
      } else {
        guard let count = UInt64(exactly: number) else { return nil }
        self = .count(count)
      }
    case let quantity as Double: self = .quantity(quantity, decimals: RecordKeys.decimals[key] ?? 3)
    case let details as [String: Any]: self = .record(Record(plain: details))
    default: return nil
    }
  }
}
