import Beacons
import Instants
import Records

/// A part of an event that is written as an object: the event itself, its beacon, its location and its reason.
protocol EventPart: Sendable {
  static var list: EventFieldList<Self> { get }
}

/// One key of an event, or of a part of it: its name, its type and its place in the value.
public struct EventField<Part: Sendable>: Sendable {
  public let key: String
  /// The type as named in `Docs/events.md`: `text`, `number`, `RFC 3339`.
  public let jsonType: String
  /// The D-Bus signature of the value.
  public let signature: String
  /// The position in the CSV, from 0; nil for a value that has no column, or several.
  public let column: Int?
  /// The fields of the object, for a key whose value is an object.
  public let parts: [(key: String, jsonType: String, signature: String, column: Int?)]
  let path: any PartialKeyPath<Part> & Sendable
  let isRequired: Bool
  let value: @Sendable (Part) -> RecordValue?
  /// Sets the value, and returns false if the field cannot have it.
  let set: @Sendable (inout Part, RecordValue) -> Bool
}

/// A value that a field can hold, with its type in `Docs/events.md`.
protocol EventFieldValue: RecordFieldValue {
  static var jsonType: String { get }
}

extension EventField {
  init<Value: EventFieldValue>(_ key: String, _ path: any WritableKeyPath<Part, Value?> & Sendable, column: Int?) {
    self.init(
      key: key, jsonType: Value.jsonType, signature: Value.recordSignature, column: column, parts: [], path: path, isRequired: false,
      value: { $0[keyPath: path]?.recordValue },
      set: { part, value in
        part[keyPath: path] = Value(recordValue: value)
        return true
      })
  }

  /// Creates a field for a required value, without which the part is absent.
  init<Value: EventFieldValue>(required key: String, _ path: any WritableKeyPath<Part, Value> & Sendable, column: Int?) {
    self.init(
      key: key, jsonType: Value.jsonType, signature: Value.recordSignature, column: column, parts: [], path: path, isRequired: true,
      value: { $0[keyPath: path].recordValue },
      set: { part, value in
        guard let value = Value(recordValue: value) else { return false }
        part[keyPath: path] = value
        return true
      })
  }

  /// Creates a field for a number that is rounded to `decimals`.
  init(_ key: String, _ path: any WritableKeyPath<Part, Double?> & Sendable, decimals: Int, column: Int?) {
    self.init(
      key: key, jsonType: "number", signature: "d", column: column, parts: [], path: path, isRequired: false,
      value: { $0[keyPath: path].map { .quantity($0, decimals: decimals) } },
      set: { part, value in
        part[keyPath: path] = value.number
        return true
      })
  }

  init(required key: String, _ path: any WritableKeyPath<Part, Double> & Sendable, decimals: Int, column: Int?) {
    self.init(
      key: key, jsonType: "number", signature: "d", column: column, parts: [], path: path, isRequired: true,
      value: { .quantity($0[keyPath: path], decimals: decimals) },
      set: { part, value in
        guard let number = value.number else { return false }
        part[keyPath: path] = number
        return true
      })
  }

  /// Creates a field for an object.
  init<Value: EventPart>(_ key: String, part path: any WritableKeyPath<Part, Value?> & Sendable) {
    self.init(
      key: key, jsonType: "object", signature: "a{sv}", column: nil, parts: Self.parts(of: Value.self), path: path, isRequired: false,
      value: { $0[keyPath: path].map { .record($0.fieldRecord) } },
      set: { part, value in
        part[keyPath: path] = value.record.flatMap { Value(fieldsOf: $0) }
        return true
      })
  }

  init<Value: EventPart>(required key: String, part path: any WritableKeyPath<Part, Value> & Sendable) {
    self.init(
      key: key, jsonType: "object", signature: "a{sv}", column: nil, parts: Self.parts(of: Value.self), path: path, isRequired: false,
      value: { part in
        let record = part[keyPath: path].fieldRecord
        return record.keys.isEmpty ? nil : .record(record)
      },
      set: { part, value in
        part[keyPath: path] = value.record.flatMap { Value(fieldsOf: $0) } ?? Value.blank
        return true
      })
  }

  private static func parts<Value: EventPart>(
    of: Value.Type
  ) -> [(key: String, jsonType: String, signature: String, column: Int?)] {
    Value.fields.map { ($0.key, $0.jsonType, $0.signature, $0.column) }
  }
}

extension EventPart {
  static var fields: [EventField<Self>] { list.fields }
  /// An instance without any value that a field can set.
  static var blank: Self { list.blank }

  /// The known values, in the order of the fields.
  var fieldRecord: Record {
    var record = Record()
    for field in Self.fields { record.append(field.key, field.value(self)) }
    return record
  }

  /// Reads the keys that are fields and ignores others; nil without a required one.
  init?(fieldsOf record: Record) {
    self = Self.blank
    for field in Self.fields {
      guard let value = record[field.key] else {
        if field.isRequired { return nil }
        continue
      }
      guard field.set(&self, value) else { return nil }
    }
  }
}

// MARK: Values

extension UInt64: EventFieldValue {
  static var jsonType: String { "number" }
}

extension Int64: EventFieldValue {
  static var jsonType: String { "number" }
}

extension UInt16: EventFieldValue {
  static var jsonType: String { "number" }
}

extension Bool: EventFieldValue {
  static var jsonType: String { "true or false" }
}

extension String: EventFieldValue {
  static var jsonType: String { "text" }
}

extension Instant: EventFieldValue {
  static var jsonType: String { "RFC 3339" }
}

extension Span: EventFieldValue {
  static var jsonType: String { "text" }
}

extension BeaconUUID: EventFieldValue {
  static var jsonType: String { "text" }
}

extension EventFieldValue where Self: RawRepresentable, RawValue == String {
  static var jsonType: String { "text" }
}
