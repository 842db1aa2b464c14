import Records

/// Names and explanations of counters that come from a record. A key without an entry gets a name made of the key.
struct CounterNames {
  struct Name {
    let name: String
    let help: String
    /// The label of counts by name.
    var label = "kind"
  }

  /// The beginning of every name.
  let prefix: String
  /// The subject in the explanation of a key without an entry.
  let subject: String
  let names: [String: Name]

  func family(_ key: String) -> (MetricFamily, label: String) {
    let known = names[key]
    let name = known?.name ?? key.snakeCase
    return (
      MetricFamily("\(prefix)_\(name)_total", .counter, known?.help ?? "Number of \(key) of \(subject)."), known?.label ?? "kind"
    )
  }
}

extension MetricSet {
  /// Adds a counter for each number and each table of numbers in the records.
  ///
  /// A new one in their type appears by itself.
  ///
  /// - Parameter records: the values of the record's type, each with the labels of its samples. A key that no record has is omitted.
  mutating func addCounters(of records: [(record: Record, labels: KeyValuePairs<String, String>)], keys: [String], _ names: CounterNames) {
    for key in keys {
      var (family, label) = names.family(key)
      for (record, labels) in records {
        switch record[key] {
        case .count(let count): family.add(Double(count), labels)
        case .record(let counts):
          for (kind, value) in counts.fields {
            guard case .count(let count) = value else { continue }
            family.add(Double(count), labels.map { ($0.key, $0.value) } + [(label, kind)])
          }
        default: break
        }
      }
      add(family)
    }
  }
}

extension MetricFamily {
  fileprivate mutating func add(_ value: Double, _ labels: [(String, String)]) {
    add(value, labels: labels.map { Sample.Label(name: $0.0, value: $0.1) })
  }
}

extension String {
  /// `droppedFragments` as `dropped_fragments`.
  var snakeCase: String {
    var text = ""
    for character in self {
      if character.isUppercase, !text.isEmpty { text += "_" }
      text += character.lowercased()
    }
    return text
  }
}
