import Records

extension Event {
  /// The event as JSON and D-Bus have it.
  public var record: Record { fieldRecord }

  /// One line of JSON.
  public var json: String { fieldRecord.json }

  /// Reads an event as `record` writes it. Ignores keys that are not fields; nil without a sequence.
  public init?(_ record: Record) {
    self.init(fieldsOf: record)
  }

  /// Reads an event as `json` writes it.
  ///
  /// - Throws: where the text is not a JSON object with a `sequence`.
  public init(json: String) throws(JSONError) {
    guard let event = Event(try Record(json: json)) else { throw JSONError(offset: 0, problem: "an event needs a sequence") }
    self = event
  }
}

extension Event.Beacon {
  /// Reads `uuid`, `major` and `minor`; nil where one of them is missing or is not such a value.
  public init?(_ record: Record) {
    self.init(fieldsOf: record)
  }
}
