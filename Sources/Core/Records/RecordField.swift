/// A value that a field of a record can hold.
public protocol RecordFieldValue: Sendable {
  /// The D-Bus type of the value.
  static var recordSignature: String { get }
  /// Decodes a value of JSON or D-Bus; nil if it is of another kind.
  init?(recordValue: RecordValue)
  var recordValue: RecordValue { get }
  /// Returns a value of JSON or D-Bus in the form in which this type is written.
  /// A value of another kind stays as it is.
  static func formatted(_ value: RecordValue) -> RecordValue
}

extension RecordFieldValue {
  public static func formatted(_ value: RecordValue) -> RecordValue { Self(recordValue: value)?.recordValue ?? value }
}

/// A value whose properties are the fields of a record: one list of keys encodes and decodes it.
///
/// Every property is optional. A key that is missing or has another type becomes nil, and an unknown key is ignored, because the other side
/// of the bus may be of another version.
public protocol RecordRepresentable: RecordFieldValue, Equatable {
  static var fields: [RecordField<Self>] { get }
  /// Creates a value without any property.
  init()
}

/// One key of a value: its name, its type and its property.
public struct RecordField<Whole: Sendable>: Sendable {
  public let key: String
  /// The D-Bus type of the value.
  public let signature: String
  let path: any PartialKeyPath<Whole> & Sendable
  /// The `RecordKey` of the property's type.
  let typed: any Sendable
  let get: @Sendable (Whole) -> RecordValue?
  let set: @Sendable (inout Whole, RecordValue) -> Void
  let format: @Sendable (RecordValue) -> RecordValue
}

/// A key with the type of its value, for a writer that encodes one property at a time.
public struct RecordKey<Value: Sendable>: Sendable {
  public let name: String
  public let signature: String
  /// Whether a property on the bus has all digits of the number. JSON rounds it anyway.
  public let isExact: Bool
  public let encode: @Sendable (Value) -> RecordValue
}

extension RecordField {
  public init<Value: RecordFieldValue>(_ key: String, _ path: any WritableKeyPath<Whole, Value?> & Sendable) {
    self.init(
      RecordKey(name: key, signature: Value.recordSignature, isExact: false) { $0.recordValue }, path, decode: Value.init(recordValue:),
      format: Value.formatted)
  }

  /// Creates a field of a number that is rounded to this number of decimals.
  ///
  /// - Parameter isExact: whether a property on the bus has all digits.
  public init(_ key: String, _ path: any WritableKeyPath<Whole, Double?> & Sendable, decimals: Int, isExact: Bool = false) {
    self.init(key, path, decimals: decimals, isExact: isExact) { $0 }
  }

  /// - Parameter written: returns the number that is written for a value.
  init(
    _ key: String, _ path: any WritableKeyPath<Whole, Double?> & Sendable, decimals: Int, isExact: Bool = false,
    _ written: @escaping @Sendable (Double) -> Double
  ) {
    self.init(
      RecordKey(name: key, signature: "d", isExact: isExact) { .quantity(written($0), decimals: decimals) }, path, decode: { $0.number },
      format: { value in value.number.map { .quantity(written($0), decimals: decimals) } ?? value })
  }

  private init<Value: Sendable>(
    _ key: RecordKey<Value>, _ path: any WritableKeyPath<Whole, Value?> & Sendable, decode: @escaping @Sendable (RecordValue) -> Value?,
    format: @escaping @Sendable (RecordValue) -> RecordValue
  ) {
    self.init(
      key: key.name, signature: key.signature, path: path, typed: key,
      get: { $0[keyPath: path].map(key.encode) },
      set: { $0[keyPath: path] = decode($1) },
      format: format)
  }

  /// Returns the field as one of a value that contains this one.
  public func of<Outer: Sendable>(_ path: any WritableKeyPath<Outer, Whole> & Sendable) -> RecordField<Outer> {
    RecordField<Outer>(
      key: key, signature: signature, path: path, typed: typed,
      get: { [get] in get($0[keyPath: path]) },
      set: { [set] in set(&$0[keyPath: path], $1) },
      format: format)
  }
}

extension RecordRepresentable {
  /// Decodes the keys that are fields.
  public init(_ record: Record) {
    self.init()
    for field in Self.fields { if let value = record[field.key] { field.set(&self, value) } }
  }

  /// The properties that have a value, in the order of the fields.
  public var record: Record {
    var record = Record()
    for field in Self.fields { record.append(field.key, field.get(self)) }
    return record
  }

  /// Returns a record of JSON or D-Bus with the types and the decimals of the fields.
  ///
  /// A key that is not a field stays as it is, because the other side of the bus may be of another version.
  public static func formatted(_ record: Record) -> Record {
    var formatted = Record()
    for (key, value) in record.fields {
      formatted.append(key, fields.first { $0.key == key }?.format(value) ?? value)
    }
    return formatted
  }

  public static func formatted(_ value: RecordValue) -> RecordValue { value.record.map { .record(formatted($0)) } ?? value }

  public static var recordSignature: String { "a{sv}" }

  public init?(recordValue: RecordValue) {
    guard let record = recordValue.record else { return nil }
    self.init(record)
  }

  public var recordValue: RecordValue { .record(record) }

  /// Returns the key of a property, which must be in `fields`.
  public static func key<Value: Sendable>(_ path: WritableKeyPath<Self, Value?>) -> RecordKey<Value> {
    let wanted: AnyKeyPath = path
    guard let key = fields.first(where: { ($0.path as AnyKeyPath) == wanted })?.typed as? RecordKey<Value> else {
      preconditionFailure("\(Self.self) has no field for \(path)")
    }
    return key
  }
}
