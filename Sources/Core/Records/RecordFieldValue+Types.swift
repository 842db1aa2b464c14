import Instants

extension UInt64: RecordFieldValue {
  public static var recordSignature: String { "t" }
  public init?(recordValue: RecordValue) {
    guard case .count(let count) = recordValue else { return nil }
    self = count
  }
  public var recordValue: RecordValue { .count(self) }
}

extension Int64: RecordFieldValue {
  public static var recordSignature: String { "x" }
  /// Decodes an integer or a count, because JSON does not say that a number may be negative.
  public init?(recordValue: RecordValue) {
    switch recordValue {
    case .integer(let integer): self = integer
    case .count(let count):
      guard let integer = Int64(exactly: count) else { return nil }
      self = integer
    default: return nil
    }
  }
  public var recordValue: RecordValue { .integer(self) }
}

extension UInt16: RecordFieldValue {
  public static var recordSignature: String { "q" }
  public init?(recordValue: RecordValue) {
    switch recordValue {
    case .short(let short): self = short
    case .count(let count):
      guard let short = UInt16(exactly: count) else { return nil }
      self = short
    default: return nil
    }
  }
  public var recordValue: RecordValue { .short(self) }
}

extension Bool: RecordFieldValue {
  public static var recordSignature: String { "b" }
  public init?(recordValue: RecordValue) {
    guard case .flag(let flag) = recordValue else { return nil }
    self = flag
  }
  public var recordValue: RecordValue { .flag(self) }
}

extension String: RecordFieldValue {
  public static var recordSignature: String { "s" }
  public init?(recordValue: RecordValue) {
    guard let text = recordValue.text else { return nil }
    self = text
  }
  public var recordValue: RecordValue { .text(self) }
}

extension Instant: RecordFieldValue {
  public static var recordSignature: String { "t" }
  public init?(recordValue: RecordValue) {
    switch recordValue {
    case .time(let time): self = time
    case .text(let text):
      guard let time = Instant(rfc3339: text) else { return nil }
      self = time
    case .count(let microseconds): self.init(microseconds: Int64(clamping: microseconds))
    default: return nil
    }
  }
  public var recordValue: RecordValue { .time(self) }
}

extension Span: RecordFieldValue {
  public static var recordSignature: String { "s" }
  public init?(recordValue: RecordValue) {
    guard let span = recordValue.text.flatMap({ Span(text: $0) }) else { return nil }
    self = span
  }
  public var recordValue: RecordValue { .text(text) }
}

extension Array: RecordFieldValue where Element: RecordRepresentable {
  public static var recordSignature: String { "aa{sv}" }
  public init?(recordValue: RecordValue) {
    guard let records = recordValue.list else { return nil }
    self = records.map { Element($0) }
  }
  public static func formatted(_ value: RecordValue) -> RecordValue {
    value.list.map { .list($0.map { Element.formatted($0) }) } ?? value
  }
  public var recordValue: RecordValue { .list(map(\.record)) }
}

extension RecordFieldValue where Self: RawRepresentable, RawValue == String {
  public static var recordSignature: String { "s" }
  public init?(recordValue: RecordValue) {
    guard let text = recordValue.text else { return nil }
    self.init(rawValue: text)
  }
  public var recordValue: RecordValue { .text(rawValue) }
}
