import ConfigurationTree

/// Records the keys that a reader of a table knows, with the forms of their values.
///
/// The readers are the only definition of the keys. A recording of a reader, which reads an empty file for it, determines how files
/// merge, the defaults of `config show`, and the JSON Schema.
final class KeyRecorder {
  enum Entry {
    case value(ValueForm, standard: ConfigurationNode.Value?)
    /// - hasDefaults: Whether an absent table means the same as an empty one.
    case table(KeyRecorder, hasDefaults: Bool)
    /// An array of tables, with the keys of each kind.
    case tables([KeyRecorder], TableSeries)
  }

  /// The keys in the order of their reading.
  private(set) var keys: [String] = []
  private(set) var entries: [String: Entry] = [:]
  /// The keys without which the table is invalid.
  private(set) var required: Set<String> = []
  /// The keys that a rollout may set: each reading of the key allows it.
  private var allowedInRollouts: Set<String> = []

  private subscript(key: String) -> Entry? {
    get { entries[key] }
    set {
      if entries[key] == nil { keys.append(key) }
      entries[key] = newValue
    }
  }

  func add(_ key: String, _ form: ValueForm, standard: ConfigurationNode.Value?, allowsRollouts: Bool) {
    // A reader may read a key twice.
    guard self[key] == nil else {
      if !allowsRollouts { allowedInRollouts.remove(key) }
      return
    }
    self[key] = .value(form, standard: standard)
    if allowsRollouts { allowedInRollouts.insert(key) }
  }

  func require(_ key: String) { required.insert(key) }

  func table(_ key: String, hasDefaults: Bool) -> KeyRecorder {
    let table = KeyRecorder()
    self[key] = .table(table, hasDefaults: hasDefaults)
    return table
  }

  func tables(_ key: String, _ series: TableSeries) -> [KeyRecorder] {
    let kinds = series.kinds.isEmpty ? [KeyRecorder()] : series.kinds.map { _ in KeyRecorder() }
    self[key] = .tables(kinds, series)
    return kinds
  }
}

/// The properties of an array of tables.
struct TableSeries {
  /// The keys whose values identify a table; none if the array may have equal tables.
  var identity: [String] = []
  /// Further keys that distinguish tables, and may be absent.
  var optionalIdentity: [String] = []
  /// Whether the tables of a later file come before the others, because the first one that matches decides.
  var isLastFileFirst = false
  /// The keys that select the kinds of a table, if there are several.
  var kinds: [[String]] = []
}

extension KeyRecorder {
  /// The tables with a key that a rollout may set, in the order of their reading, each with these keys.
  ///
  /// A rollout cannot set a key outside of a table or of a table within another, whatever its reader allows.
  var keysInRollouts: [(table: String, keys: Set<String>)] {
    keys.compactMap { table in
      let kinds: [KeyRecorder]
      switch entries[table] {
      case .table(let keys, _)?: kinds = [keys]
      case .tables(let keys, _)?: kinds = keys
      case .value?, nil: return nil
      }
      // A key that one kind of the table refuses is refused for all.
      let refused = kinds.reduce(into: Set()) { $0.formUnion(Set($1.keys).subtracting($1.allowedInRollouts)) }
      let allowed = kinds.reduce(into: Set()) { $0.formUnion($1.allowedInRollouts) }.subtracting(refused)
      return allowed.isEmpty ? nil : (table, allowed)
    }
  }

  /// Returns the keys of a configuration.
  static func ofConfiguration() -> KeyRecorder {
    let recorder = KeyRecorder()
    let problems = ProblemList(files: [""])
    _ = ConfigurationReader(TableReader([:], line: nil, place: [], problems: problems, recorder: recorder)).document()
    return recorder
  }
}
