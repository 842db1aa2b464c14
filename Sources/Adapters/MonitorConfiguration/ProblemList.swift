import TOML

/// Collects all problems of files that are read as one, and their references to the machine.
///
/// One reading finds every problem.
final class ProblemList {
  /// The names of the files, the main one first.
  let files: [String]
  private(set) var references: [MachineReference] = []
  private var problems: [(line: SourceLine?, problem: ConfigurationProblem)] = []
  /// Faults that leave the files valid, in the order of their discovery.
  private(set) var warnings: [ConfigurationProblem] = []
  /// Whether an unknown key is a warning instead of an error, as in files that newer versions may have written.
  let allowsUnknownKeys: Bool

  init(files: [String], allowsUnknownKeys: Bool = false) {
    self.files = files
    self.allowsUnknownKeys = allowsUnknownKeys
  }

  convenience init(file: String, allowsUnknownKeys: Bool = false) {
    self.init(files: [file], allowsUnknownKeys: allowsUnknownKeys)
  }

  /// The number of reported problems.
  var count: Int { problems.count }

  func report(line: SourceLine?, column: Int? = nil, _ message: String) {
    problems.append((line, problem(line, column: column, message)))
  }

  func report(_ error: TOMLSyntaxError, inFile file: Int) {
    report(line: SourceLine(file: file, number: error.line), column: error.column, error.message)
  }

  /// Adds the problems of another file.
  func report(_ others: [ConfigurationProblem]) { problems += others.map { ($0.line.map { SourceLine(file: 0, number: $0) }, $0) } }

  func warn(line: SourceLine?, _ message: String) {
    warnings.append(problem(line, column: nil, message))
  }

  func refer(_ place: String, line: SourceLine?, to target: MachineReference.Target) {
    references.append(MachineReference(target: target, line: line, place: place))
  }

  private func problem(_ line: SourceLine?, column: Int?, _ message: String) -> ConfigurationProblem {
    ConfigurationProblem(file: files[line?.file ?? 0], line: line?.number, column: column, message: message)
  }

  /// Throws the reported problems, by file and line, if there are any.
  func throwIfAny() throws(ConfigurationError) {
    guard !problems.isEmpty else { return }
    let inOrder = problems.enumerated().sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
    throw .invalid(inOrder.map(\.element.problem))
  }
}
