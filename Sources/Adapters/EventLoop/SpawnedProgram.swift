import Glibc

/// A program that was just started, as the leader of its own process group.
struct SpawnedProgram: ~Copyable {
  let pid: pid_t
  /// The parent's end of the program's standard input; does not block.
  let input: FileDescriptor
  /// The parent's end of the program's standard output and error, which share one pipe; does not block.
  let output: FileDescriptor

  init(arguments: [String], environment: [String: String]) throws(SystemCallError) {
    let toChild = try Pipe()
    let fromChild = try Pipe()
    try toChild.writing.setNonBlocking()
    try fromChild.reading.setNonBlocking()

    pid = try ProgramStart.process(
      of: arguments, environment: environment, input: toChild.reading.number, output: fromChild.writing.number,
      errors: fromChild.writing.number)
    input = toChild.writing
    output = fromChild.reading
  }
}
