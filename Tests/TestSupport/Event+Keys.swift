import Events
import Records

extension Event {
  /// Creates an event from its keys, with sequence 0 if it is missing.
  public static func of(_ keys: KeyValuePairs<String, RecordValue?>) -> Event {
    var record = Record(keys)
    if record["sequence"] == nil { record.append("sequence", .count(0)) }
    return Event(record) ?? Event(sequence: 0, kind: .state)
  }

  /// The value of a key, as in JSON and on D-Bus.
  public subscript(key: String) -> RecordValue? { record[key] }
}
