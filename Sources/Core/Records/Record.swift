import Instants

/// Named values in a fixed order: the external form of an event or a beacon, in JSON and on D-Bus.
///
/// Keys are camelCase and the same in both. An unknown value is omitted.
public struct Record: Hashable, Sendable {
  public typealias Field = (key: String, value: RecordValue)

  public private(set) var keys: [String] = []
  public private(set) var values: [RecordValue] = []

  public init() {}

  public init(_ fields: KeyValuePairs<String, RecordValue?>) {
    for (key, value) in fields { append(key, value) }
  }

  public mutating func append(_ key: String, _ value: RecordValue?) {
    guard let value else { return }
    keys.append(key)
    values.append(value)
  }

  /// Appends the fields of another record.
  public mutating func append(_ other: Record) {
    keys += other.keys
    values += other.values
  }

  public var fields: Zip2Sequence<[String], [RecordValue]> { zip(keys, values) }

  public subscript(key: String) -> RecordValue? {
    keys.firstIndex(of: key).map { values[$0] }
  }
}

public enum RecordValue: Hashable, Sendable {
  case text(String)
  case count(UInt64)
  case integer(Int64)
  /// An unsigned number of 16 bits: a major or a minor.
  case short(UInt16)
  case flag(Bool)
  /// A number that the output rounds to `decimals` places.
  case quantity(Double, decimals: Int)
  /// A time: microseconds since the Unix epoch on D-Bus, RFC 3339 in JSON.
  case time(Instant)
  case record(Record)
  case list([Record])
}

extension RecordValue {
  /// Returns an RSSI in dBm, to 0.1.
  public static func rssi(_ value: Double) -> RecordValue { .quantity(value, decimals: 1) }
  /// Returns a length in metres, to 0.01.
  public static func metres(_ value: Double) -> RecordValue { .quantity(value, decimals: 2) }
  /// Returns a latitude or a longitude in degrees, to 1e-7, which is 1 cm.
  public static func degreesOnEarth(_ value: Double) -> RecordValue { .quantity(value, decimals: 7) }
}
