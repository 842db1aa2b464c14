import Foundation
import TestSupport

/// A Python program with many connections, each with many sessions, which all range one constraint.
final class Crowd {
  private let program: RunningProgram

  init(_ bus: PrivateBus, connections: Int, sessions: Int, ranging constraint: JSON = [:]) throws {
    program = try RunningProgram(
      Programs.python, [Programs.peer("crowd.py"), bus.address, "\(connections)", "\(sessions)", constraint.line])
  }

  /// What it has come to: `sessions`, `errors`, and how often each signal came.
  func report() throws -> JSON {
    try program.input.write(contentsOf: Data("\n".utf8))
    return try JSON(parsing: try program.output.next("the crowd's report"))
  }

  /// It does not read any more.
  func freeze() { program.signal(SIGSTOP) }

  func thaw() { program.signal(SIGCONT) }
}
