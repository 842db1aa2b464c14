import Instants

extension RecordValue {
  /// The value as plain text: numbers rounded as in JSON, times as RFC 3339, texts unchanged.
  /// `nil` for a record, a list and a quantity that is not finite.
  public var plainText: String? {
    switch self {
    case .text(let text): text
    case .count(let count): String(count)
    case .integer(let integer): String(integer)
    case .short(let short): String(short)
    case .flag(let flag): flag ? "true" : "false"
    case .quantity(let value, let decimals): Decimal.text(value, decimals: decimals)
    case .time(let instant): instant.rfc3339
    case .record, .list: nil
    }
  }

  /// The text; `nil` for any other value.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The number, of whatever kind; `nil` for any other value.
  public var number: Double? {
    switch self {
    case .count(let count): Double(count)
    case .integer(let integer): Double(integer)
    case .short(let short): Double(short)
    case .quantity(let value, _): value.isFinite ? value : nil
    case .text, .flag, .time, .record, .list: nil
    }
  }

  /// The number as one of 16 bits without a sign; `nil` for any other value.
  public var short: UInt16? { UInt16(recordValue: self) }

  /// The time, also of a text in RFC 3339 and of a count of microseconds; `nil` for any other value.
  public var time: Instant? { Instant(recordValue: self) }

  /// The list; `nil` for any other value.
  public var list: [Record]? {
    if case .list(let records) = self { records } else { nil }
  }

  /// The record; `nil` for any other value.
  public var record: Record? {
    if case .record(let record) = self { record } else { nil }
  }
}
