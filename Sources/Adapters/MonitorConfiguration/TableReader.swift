import ConfigurationTree
import Diagnostics
import TOML

/// Reads a table of the file: returns valid values, and reports invalid ones.
///
/// A key that was read is a known key; `finish` reports the others.
struct TableReader {
  /// The path to this table in words, such as `region "entrance"`; empty at the top.
  private(set) var place: [String]
  /// The line of the table; nil if it comes from no text.
  let line: SourceLine?
  let spelling: KeySpelling

  private let nodes: [String: ConfigurationNode]
  private let problems: ProblemList
  /// Records the keys of this table; nil while a file is read.
  private let recorder: KeyRecorder?
  private var known: [String] = []

  init(
    _ nodes: [String: ConfigurationNode], line: SourceLine?, place: [String], problems: ProblemList, spelling: KeySpelling = .kebab,
    recorder: KeyRecorder? = nil
  ) {
    self.nodes = nodes
    self.line = line
    self.place = place
    self.spelling = spelling
    self.problems = problems
    self.recorder = recorder
  }

  /// Changes the name of this table in later problems.
  mutating func rename(_ place: String) {
    self.place = [place]
  }

  func has(_ key: String) -> Bool { nodes[spelling(key)] != nil }

  /// The number of problems that were reported so far, in all tables.
  var problemCount: Int { problems.count }

  /// Returns whether the key exists and is not an empty table.
  func hasContent(_ key: String) -> Bool {
    if case .table(let nodes)? = nodes[spelling(key)]?.value { !nodes.isEmpty } else { has(key) }
  }

  /// Returns the line of the key, or of the table if the key is absent.
  func line(of key: String) -> SourceLine? { nodes[spelling(key)]?.position?.sourceLine ?? line }

  /// Returns `in line 3`, `in FILE:3` for a line of another file, or `above` for a table that comes from no text.
  func reference(to line: SourceLine?) -> String {
    guard let line else { return "above" }
    return line.file == (self.line?.file ?? 0) ? "in line \(line.number)" : "in \(problems.files[line.file]):\(line.number)"
  }

  /// The names of the files, the main one first.
  var files: [String] { problems.files }
  var file: String { files[0] }
  /// The references of the whole file that were read so far.
  var references: [MachineReference] { problems.references }

  /// Records that the value of `key` refers to the machine.
  func refer(_ key: String, to target: MachineReference.Target) {
    problems.refer((place + [spelling(key)]).joined(separator: ": "), line: line(of: key), to: target)
  }

  func report(_ key: String? = nil, _ message: String) {
    report(key.map { spelling($0) }, line: key.flatMap(line(of:)) ?? line, message)
  }

  /// Adds the problems of another file that this one refers to.
  func report(_ problems: [ConfigurationProblem]) { self.problems.report(problems) }

  private func report(_ key: String?, line: SourceLine?, _ message: String) {
    problems.report(line: line, described(key, message))
  }

  /// Adds a warning about a valid key, or about the whole table.
  func warn(_ key: String? = nil, _ message: String) {
    problems.warn(line: key.flatMap(line(of:)) ?? line, described(key.map { spelling($0) }, message))
  }

  private func described(_ key: String?, _ message: String) -> String {
    // A file can have a hundred thousand problems, and a list of the parts would take a fifth of the whole time.
    let message = key.map { "\($0.shortened): \(message)" } ?? message
    return place.isEmpty ? message : "\(place.joined(separator: ": ")): \(message)"
  }
}

// MARK: The whole text

extension TableReader {
  /// Passes the top table of a text to `body`, and throws all problems reported meanwhile.
  ///
  /// - Parameter name: The name of the text in errors.
  static func read<Value>(_ text: String, name: String, as body: (consuming TableReader) -> Value) throws(ConfigurationError) -> Value {
    try read(text, ProblemList(file: name), as: body)
  }

  /// Reads a text like `read(_:name:as:)` into a list of problems, in which warnings remain.
  static func read<Value>(
    _ text: String, _ problems: ProblemList, as body: (consuming TableReader) -> Value
  ) throws(ConfigurationError) -> Value {
    var nodes: [String: ConfigurationNode] = [:]
    do throws(TOMLSyntaxError) { nodes = try TOMLParser.parse(text) } catch {
      problems.report(error, inFile: 0)
      try problems.throwIfAny()
    }
    let value = body(TableReader(nodes, line: 1, place: [], problems: problems))
    try problems.throwIfAny()
    return value
  }
}

// MARK: Values

extension TableReader {
  /// Returns the value; nil if the key is absent or its value was reported.
  ///
  /// - Parameters:
  ///   - standard: The value of an absent key, if it is always the same.
  ///   - allowsRollouts: Whether a rollout may set the key; never for a command, a secret, a target, a path or consent.
  mutating func read<Value>(
    _ key: String, as decoder: ValueDecoder<Value>, default standard: @autoclosure () -> ConfigurationNode.Value? = nil,
    allowsRollouts: Bool = false
  ) -> Value? {
    recorder?.add(key, decoder.form(), standard: standard(), allowsRollouts: allowsRollouts)
    known.append(spelling(key))
    guard let node = nodes[spelling(key)] else { return nil }
    do throws(DecodingIssue) { return try decoder.decode(node) } catch {
      report(spelling(key), line: (error.position ?? node.position)?.sourceLine, error.message)
      return nil
    }
  }

  /// Returns the value like `read`, and also reports an absent key.
  mutating func require<Value>(_ key: String, as decoder: ValueDecoder<Value>, allowsRollouts: Bool = false) -> Value? {
    recorder?.require(key)
    if !has(key) { report(nil, "missing key \(spelling(key).quoted)") }
    return read(key, as: decoder, allowsRollouts: allowsRollouts)
  }
}

// MARK: Tables

extension TableReader {
  /// Returns the table of a key; nil if it is absent or was reported.
  ///
  /// - Parameter hasDefaults: Whether an absent table means the same as an empty one.
  mutating func table(_ key: String, hasDefaults: Bool = false) -> TableReader? {
    known.append(key)
    if let keys = recorder?.table(key, hasDefaults: hasDefaults) {
      return TableReader([:], line: nil, place: [], problems: problems, recorder: keys)
    }
    guard let node = nodes[key] else { return nil }
    guard case .table(let nodes) = node.value else {
      report(key, "must be a table, not \(node.value.description); write [\((place + [key]).joined(separator: "."))] and its keys below")
      return nil
    }
    return TableReader(nodes, line: node.position?.sourceLine, place: place + [key], problems: problems)
  }

  /// Returns the tables of a key; none if they are absent or were reported.
  ///
  /// Each is called `name` and its number until it is renamed.
  mutating func tables(_ key: String, called name: String, _ series: @autoclosure () -> TableSeries = TableSeries()) -> [TableReader] {
    if let recorder { return Self.recordings(of: key, series(), recorder, problems) }
    known.append(key)
    guard let node = nodes[key] else { return [] }
    guard case .list(let elements) = node.value else {
      let header = (place + [key]).joined(separator: ".")
      report(key, "must be an array of tables, not \(node.value.description); write [[\(header)]] with double brackets")
      return []
    }
    return elements.enumerated().compactMap { index, element in
      guard case .table(let nodes) = element.value else {
        report(key, line: element.position?.sourceLine, "must contain tables, not \(element.value.description)")
        return nil
      }
      return TableReader(nodes, line: element.position?.sourceLine, place: ["\(name) \(index + 1)"], problems: problems)
    }
  }

  /// Returns a table for each kind of the tables of an array, in which the keys that select the kind exist.
  private static func recordings(
    of key: String, _ series: TableSeries, _ recorder: KeyRecorder, _ problems: ProblemList
  ) -> [TableReader] {
    let kinds = series.kinds.isEmpty ? [[]] : series.kinds
    return zip(kinds, recorder.tables(key, series)).map { kind, keys in
      let nodes = Dictionary(uniqueKeysWithValues: kind.map { ($0, ConfigurationNode(.flag(true))) })
      return TableReader(nodes, line: nil, place: [], problems: problems, recorder: keys)
    }
  }

  /// Reports every key that was not read, by line, as an error or as a warning.
  consuming func finish() {
    let known = Set(known)
    let unknown = nodes.filter { !known.contains($0.key) }.map { (line: $0.value.position?.sourceLine, key: $0.key) }
      .sorted { ($0.line ?? 0, $0.key) < ($1.line ?? 0, $1.key) }
    guard !unknown.isEmpty else { return }
    let names = NearestName(in: self.known)
    let others = self.known.isEmpty ? "no keys are allowed here" : "the keys here are \(self.known.joined(separator: ", "))"
    for (line, key) in unknown {
      let advice = names.of(key).map { "did you mean \($0.quoted)?" } ?? others
      let message = "unknown key \(key.quoted); \(advice)"
      guard problems.allowsUnknownKeys else {
        report(nil, line: line, message)
        continue
      }
      problems.warn(line: line, described(nil, message))
    }
  }
}

/// The spelling of keys in the input. The readers use the spelling of the file.
enum KeySpelling {
  /// `exit-delay`, as in a file.
  case kebab
  /// `exitDelay`, as on the bus.
  case camel

  func callAsFunction(_ key: String) -> String {
    switch self {
    case .kebab: return key
    case .camel:
      let words = key.split(separator: "-")
      return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
  }
}
