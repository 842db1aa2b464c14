import DBus
import Instants
import Records

/// A record on the bus, `a{sv}` with the same keys as in JSON.
extension Record {
  public var dbusValue: DBusValue {
    .options(fields.compactMap { key, value in value.dbusValue.map { (key, $0) } })
  }

  /// Creates a record; nil if `value` is not an `a{sv}`. Values that a record cannot hold are ignored.
  public init?(_ value: DBusValue) {
    guard value.signature == "a{sv}" || value.unwrapped.signature == "a{sv}", let entries = value.entries else { return nil }
    self.init()
    for entry in entries {
      guard let key = entry.key.string else { continue }
      append(key, RecordValue(entry.value.unwrapped))
    }
  }
}

extension RecordValue {
  /// The value on the bus; nil for a quantity that is not finite, which is unknown.
  var dbusValue: DBusValue? {
    switch self {
    case .text(let text): .string(text)
    case .count(let count): .uint64(count)
    case .integer(let integer): .int64(integer)
    case .short(let short): .uint16(short)
    case .flag(let flag): .boolean(flag)
    case .quantity(let value, let decimals): value.isFinite ? .double(Decimal.rounded(value, decimals: decimals)) : nil
    case .time(let time): .uint64(UInt64(max(0, time.microseconds)))
    case .record(let record): record.dbusValue
    case .list(let records): .array(of: "a{sv}", records.map(\.dbusValue))
    }
  }

  /// The number of decimals of a quantity, until the type of its field is known.
  private static let decimals = 3

  /// Creates a value.
  /// D-Bus does not say whether a number is a time, nor how many decimals it has; the type of the field does.
  init?(_ value: DBusValue) {
    switch value {
    case .string(let text): self = .text(text)
    case .uint16(let short): self = .short(short)
    case .boolean(let flag): self = .flag(flag)
    case .int64(let integer): self = .integer(integer)
    case .uint64(let number): self = .count(number)
    case .double(let double): self = .quantity(double, decimals: Self.decimals)
    case .dictionary:
      guard let record = Record(value) else { return nil }
      self = .record(record)
    case .array("a{sv}", let elements): self = .list(elements.compactMap { Record($0) })
    default: return nil
    }
  }
}
