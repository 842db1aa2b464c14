import DBus
import Failures
import Glibc
import ProgramVersion

/// The few flags of a daemon: `--name VALUE`, `--name=VALUE` and `--name`, in any order, each at most once.
public struct Flags {
  private var values: [String: String] = [:]

  /// - Parameters:
  ///   - valued: names that take a value, without hyphens.
  ///   - plain: names that take none.
  ///   - help: the program's help text, whose usage lines are part of the error for a missing value.
  public init(_ arguments: [String], valued: [String], plain: [String], help: String) throws(Failure) {
    var rest = arguments[...]
    while var argument = rest.popFirst() {
      if argument == "-h" { argument = "--help" }
      guard argument.hasPrefix("--"), argument.count > 2 else {
        throw Failure(.usage, "unexpected argument \"\(argument)\"; see --help")
      }
      let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0]
      guard values[name] == nil else { throw Failure(.usage, "--\(name) is given more than once") }
      if plain.contains(name) {
        guard parts.count == 1 else { throw Failure(.usage, "--\(name) takes no value") }
        values[name] = ""
      } else if valued.contains(name) {
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
          throw Failure(.usage, "--\(name) requires a value; see --help\n\(Self.usage(in: help))")
        }
        values[name] = value
      } else {
        throw Failure(.usage, "unknown option --\(name); see --help")
      }
    }
  }

  /// Returns the usage lines of a help text.
  public static func usage(in help: String) -> String {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("Usage:") }.prefix { !$0.isEmpty }
    return "usage:" + lines.joined(separator: "\n").dropFirst("Usage:".count)
  }

  public subscript(name: String) -> String? { values[name] }

  public func has(_ name: String) -> Bool { values[name] != nil }
}

extension Flags {
  /// The flags for questions about the program itself.
  public static let aboutPlain = ["help", "version"]

  /// Answers `--help` or `--version` on standard output; returns false if neither was given.
  public func answerAbout(_ program: String, help: String) -> Bool {
    guard has("help") || has("version") else { return false }
    Program.write(has("help") ? help : "\(program) \(ProgramVersion.current)\n", to: STDOUT_FILENO)
    return true
  }
}

extension Flags {
  /// The flags that choose a bus.
  public static let busValued = ["bus"]
  public static let busPlain = ["session", "system"]

  /// Returns the bus of `--bus ADDRESS`, `--session` or `--system`, which is the default.
  public func busAddress() throws(Failure) -> BusAddress {
    guard [has("bus"), has("session"), has("system")].count(where: \.self) <= 1 else {
      throw Failure(.usage, "--bus, --session and --system cannot be combined")
    }
    if let address = self["bus"] { return .explicit(address) }
    return has("session") ? .session : .system
  }
}
