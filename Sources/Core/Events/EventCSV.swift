import Records

/// Events as comma-separated values (RFC 4180), one line for each event, always with the same columns.
public enum EventCSV {
  /// The names of the columns.
  public static let header = CSVLine.text(columns.map(\.last))

  /// The line of an event, with its end.
  public static func line(_ event: Event) -> String {
    let record = event.record
    return CSVLine.text(
      columns.map { path in
        let value = path.first.flatMap { record[$0]?.record?[path.last] } ?? (path.first == nil ? record[path.last] : nil)
        return value?.plainText ?? ""
      })
  }

  /// The keys in the order of the columns; `first` is the object that holds the key, nil for the event itself.
  private static let columns: [(first: String?, last: String)] = Event.fields
    .flatMap { field -> [(column: Int, path: (first: String?, last: String))] in
      let own = field.column.map { [($0, (first: String?.none, last: field.key))] } ?? []
      return own + field.parts.compactMap { part in part.column.map { ($0, (first: field.key, last: part.key)) } }
    }
    .sorted { $0.column < $1.column }
    .map(\.path)
}
