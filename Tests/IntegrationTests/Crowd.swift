import Foundation
import TestSupport

/// A Python program with many connections, each with many sessions, which all range one constraint.
final class Crowd {
  private let program: RunningProgram

  init(_ bus: PrivateBus, connections: Int, sessions: Int, ranging constraint: JSON = [:]) throws {
    program = try RunningProgram(
      Programs.python, [Programs.peer("crowd.py"), bus.address, "\(connections)", "\(sessions)", constraint.line])
  }

  /// Returns the totals: `sessions`, `errors`, and the count of each signal.
  func report() throws -> JSON {
    try program.input.write(contentsOf: Data("\n".utf8))
    return try JSON(parsing: try program.output.next("the crowd's report"))
  }

  /// Stops the crowd from reading.
  func freeze() { program.signal(SIGSTOP) }

  func thaw() { program.signal(SIGCONT) }
}
