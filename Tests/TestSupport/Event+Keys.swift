import Events
import Records

extension Event {
  /// An event from its keys, with 0 where the sequence is missing.
  public static func of(_ keys: KeyValuePairs<String, RecordValue?>) -> Event {
    var record = Record(keys)
    if record["sequence"] == nil { record.append("sequence", .count(0)) }
    return Event(record) ?? Event(sequence: 0, kind: .state)
  }

  /// The value of a key, as JSON and D-Bus have it.
  public subscript(key: String) -> RecordValue? { record[key] }
}
