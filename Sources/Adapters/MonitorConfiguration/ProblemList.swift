/// Collects all problems of one file, so that one reading finds every one, and the file's references to the machine.
final class ProblemList {
  let file: String
  private(set) var references: [MachineReference] = []
  private var problems: [ConfigurationProblem] = []
  /// Faults that leave the file valid, in the order of their discovery.
  private(set) var warnings: [ConfigurationProblem] = []
  /// Whether an unknown key is a warning instead of an error, as in files that newer versions may have written.
  let allowsUnknownKeys: Bool

  init(file: String, allowsUnknownKeys: Bool = false) {
    self.file = file
    self.allowsUnknownKeys = allowsUnknownKeys
  }

  func report(line: Int?, column: Int? = nil, _ message: String) {
    problems.append(ConfigurationProblem(file: file, line: line, column: column, message: message))
  }

  /// Adds the problems of another file.
  func report(_ others: [ConfigurationProblem]) { problems += others }

  func warn(line: Int?, _ message: String) {
    warnings.append(ConfigurationProblem(file: file, line: line, column: nil, message: message))
  }

  func refer(_ place: String, line: Int?, to target: MachineReference.Target) {
    references.append(MachineReference(target: target, line: line, place: place))
  }

  /// Throws the reported problems, by line, if there are any.
  func throwIfAny() throws(ConfigurationError) {
    guard !problems.isEmpty else { return }
    let inOrder = problems.enumerated().sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
    throw .invalid(inOrder.map(\.element))
  }
}
