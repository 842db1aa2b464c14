import Foundation
import TestSupport

/// A real process: ours or a peer. It is killed when the test lets go of it.
final class RunningProgram {
  let output: LineReader
  /// Standard error, where our programs log.
  let log: LineReader
  let input: FileHandle

  private let process = Process()

  init(_ executable: String, _ arguments: [String], environment: [String: String] = [:], input: Pipe = Pipe.own()) throws {
    let (outputPipe, logPipe) = (Pipe.own(), Pipe.own())
    output = LineReader(outputPipe)
    log = LineReader(logPipe)
    self.input = input.fileHandleForWriting
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = outputPipe
    process.standardError = logPipe
    try process.runWithNoSignalBlocked()
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    // Leaves no zombie, which whoever waits for any child of this process would find again and again.
    process.waitUntilExit()
  }

  var isRunning: Bool { process.isRunning }

  var pid: Int32 { process.processIdentifier }

  func signal(_ number: Int32) {
    kill(pid, number)
  }

  /// The status it exits with, or minus the signal that ended it.
  func exitStatus(within limit: TimeInterval = patience) throws -> Int32 {
    try wait(for: "the end of \(process.executableURL?.lastPathComponent ?? "")", within: limit) { !process.isRunning }
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  /// Runs a program to its end and returns what it wrote to standard output. Throws unless its status is zero.
  static func result(_ executable: String, _ arguments: [String], input text: String = "") throws -> String {
    let program = try RunningProgram(executable, arguments)
    try program.input.write(contentsOf: Data(text.utf8))
    try program.input.close()
    let lines = try program.output.all()
    let status = try program.exitStatus()
    guard status == 0 else {
      throw Disappointment("\(executable) \(arguments) ended with \(status):\n\(try program.log.all().joined(separator: "\n"))")
    }
    return lines.joined(separator: "\n")
  }
}
