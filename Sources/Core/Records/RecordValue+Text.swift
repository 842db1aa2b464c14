import Instants

extension RecordValue {
  /// One value as a person or a shell reads it: numbers rounded as in JSON, times as RFC 3339, texts as they are. Nil for a record, a list and
  /// a quantity that is not finite.
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

  /// Nil unless it is a text.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// Nil unless it is a finite quantity.
  public var quantity: Double? {
    if case .quantity(let value, _) = self, value.isFinite { value } else { nil }
  }

  /// Nil unless it is a number, of whatever kind.
  public var number: Double? {
    switch self {
    case .count(let count): Double(count)
    case .integer(let integer): Double(integer)
    case .short(let short): Double(short)
    case .quantity(let value, _): value.isFinite ? value : nil
    case .text, .flag, .time, .record, .list: nil
    }
  }

  /// Nil unless it is 16 bits without sign.
  public var short: UInt16? {
    if case .short(let short) = self { short } else { nil }
  }

  /// Nil unless it is a time.
  public var time: Instant? {
    if case .time(let instant) = self { instant } else { nil }
  }

  /// Nil unless it is a list.
  public var list: [Record]? {
    if case .list(let records) = self { records } else { nil }
  }

  /// Nil unless it is a record.
  public var record: Record? {
    if case .record(let record) = self { record } else { nil }
  }
}
