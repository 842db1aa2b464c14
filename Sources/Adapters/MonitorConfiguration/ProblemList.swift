/// Collects all problems of one file, so that one reading finds every one, and the file's references to the machine.
final class ProblemList {
  let file: String
  private(set) var references: [MachineReference] = []
  private var problems: [ConfigurationProblem] = []

  init(file: String) {
    self.file = file
  }

  func report(line: Int?, column: Int? = nil, _ message: String) {
    problems.append(ConfigurationProblem(file: file, line: line, column: column, message: message))
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
