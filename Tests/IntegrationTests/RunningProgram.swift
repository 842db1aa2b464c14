import Foundation
import TestSupport

/// A real process of our programs or a peer. It is killed when the test releases it.
final class RunningProgram {
  let output: LineReader
  /// Standard error, to which our programs log.
  let log: LineReader
  let input: FileHandle

  private let process: Child

  init(_ executable: String, _ arguments: [String], environment: [String: String] = [:], input: Pipe = Pipe()) throws {
    let (outputPipe, logPipe) = (Pipe(), Pipe())
    output = LineReader(outputPipe)
    log = LineReader(logPipe)
    self.input = input.fileHandleForWriting
    process = try Child(
      executable, arguments, environment: environment, input: .pipe(input), output: .pipe(outputPipe), errors: .pipe(logPipe))
  }

  var isRunning: Bool { process.isRunning }

  var pid: Int32 { process.pid }

  func signal(_ number: Int32) { process.signal(number) }

  /// Returns the exit status, or minus the signal that ended the program.
  func exitStatus(within limit: TimeInterval = patience) throws -> Int32 {
    try wait(for: "the end of \(process.program)", within: limit) { !process.isRunning }
    return process.wait()
  }

  /// Runs a program to its end and returns its standard output. Throws unless its status is zero.
  static func result(_ executable: String, _ arguments: [String], input text: String = "") throws -> String {
    let program = try RunningProgram(executable, arguments)
    try program.input.write(contentsOf: Data(text.utf8))
    try program.input.close()
    let lines = try program.output.all()
    let status = try program.exitStatus()
    guard status == 0 else {
      throw TimeoutError("\(executable) \(arguments) ended with \(status):\n\(try program.log.all().joined(separator: "\n"))")
    }
    return lines.joined(separator: "\n")
  }
}
