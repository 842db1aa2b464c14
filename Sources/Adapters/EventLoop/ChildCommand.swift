import CLinux
import Instants

/// A program to run and its limits; without a shell, so every argument arrives unchanged.
public struct ChildCommand {
  /// The program, found in this process' PATH unless it contains a slash, and then its arguments.
  public var arguments: [String]
  /// The whole environment; the program inherits nothing else.
  public var environment: [String: String]
  /// The child's standard input, before the end of file; the child need not read it.
  public var input: [UInt8]
  /// The time from the start until the group gets SIGTERM.
  public var timeout: Span
  /// The time from SIGTERM until SIGKILL.
  public var grace: Span
  /// The number of octets of standard output and error, mixed, that are kept: the last ones.
  public var outputLimit: Int

  public init(
    _ arguments: [String], environment: [String: String], input: [UInt8] = [], timeout: Span, grace: Span = .seconds(5),
    outputLimit: Int = 4096
  ) {
    self.arguments = arguments
    self.environment = environment
    self.input = input
    self.timeout = timeout
    self.grace = grace
    self.outputLimit = outputLimit
  }

  /// Returns the environment of this process; of a repeated name the first is kept, as getenv(3) does.
  public static func ownEnvironment() -> [String: String] {
    var environment: [String: String] = [:]
    var next = linux_environment()
    while let entry = next?.pointee {
      let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if parts.count == 2, environment[parts[0]] == nil { environment[parts[0]] = parts[1] }
      next = next?.successor()
    }
    return environment
  }
}

/// The result of a `ChildCommand`.
public struct ChildResult: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    /// The program outlived its timeout, whatever its status after the SIGTERM.
    case timedOut
  }

  public var outcome: Outcome
  public var output: OutputTail
}
