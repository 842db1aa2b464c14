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
      append(key, RecordValue(entry.value.unwrapped, of: key))
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

  /// Creates a value. Its key says whether a number is a time, and how many decimals a quantity has, because D-Bus does not.
  init?(_ value: DBusValue, of key: String) {
    switch value {
    case .string(let text): self = .text(text)
    case .uint16(let short): self = .short(short)
    case .boolean(let flag): self = .flag(flag)
    case .int64(let integer): self = .integer(integer)
    case .uint64(let number) where RecordKeys.times.contains(key):
      self = .time(Instant(microseconds: Int64(clamping: number)))
    case .uint64(let number): self = .count(number)
    case .double(let double): self = .quantity(double, decimals: RecordKeys.decimals[key] ?? 3)
    case .dictionary:
      guard let record = Record(value) else { return nil }
      self = .record(record)
    case .array("a{sv}", let elements): self = .list(elements.compactMap { Record($0) })
    default: return nil
    }
  }
}
