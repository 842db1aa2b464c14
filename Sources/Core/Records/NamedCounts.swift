/// Counts by name, in the order of the record: reasons, kinds or faults, of which the other side of the bus may know more.
public struct NamedCounts: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public let name: String
    public let count: UInt64
  }

  public private(set) var entries: [Entry] = []

  public init() {}

  public var isEmpty: Bool { entries.isEmpty }
  public var total: UInt64 { entries.reduce(0) { $0 &+ $1.count } }

  /// Adds a count, unless it is zero.
  public mutating func append(_ name: String, _ count: Int) {
    if count > 0 { entries.append(Entry(name: name, count: UInt64(count))) }
  }
}

extension NamedCounts: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral counts: (String, Int)...) {
    for (name, count) in counts { append(name, count) }
  }
}

extension NamedCounts: RecordFieldValue {
  public static var recordSignature: String { "a{sv}" }

  /// Values that are not counts are ignored.
  public init?(recordValue: RecordValue) {
    guard let record = recordValue.record else { return nil }
    entries = record.fields.compactMap { key, value in UInt64(recordValue: value).map { Entry(name: key, count: $0) } }
  }

  public var recordValue: RecordValue { .record(record) }

  public var record: Record {
    var record = Record()
    for entry in entries { record.append(entry.name, .count(entry.count)) }
    return record
  }
}

extension Tally {
  /// The counts of the cases that occurred, by name in their declared order.
  public var counts: NamedCounts {
    var counts = NamedCounts()
    for (key, count) in occurring { counts.append("\(key)", count) }
    return counts
  }
}
