import ClientCommands
import EventLoop
import Failures
import Glibc
import Instants

/// A program of this system that speaks sentences. It runs without a shell.
public final class InstalledSpeechProgram: SpeechProgram {
  private enum Kind: String, CaseIterable {
    /// The client of speech-dispatcher, which speaks in the user's voice.
    case speechDispatcher = "spd-say"
    case espeak = "espeak-ng"

    /// The words after `--` are text, even if they begin with a hyphen.
    func arguments(_ path: String, _ text: String, language: String?) -> [String] {
      switch self {
      case .speechDispatcher: [path, "--wait"] + (language.map { ["--language", $0] } ?? []) + ["--", text]
      case .espeak: [path] + (language.map { ["-v", $0] } ?? []) + ["--", text]
      }
    }
  }

  /// The longest time for a sentence.
  private static let timeout = Span.seconds(20)

  public var name: String { kind.rawValue }
  private let loop: Loop
  private let kind: Kind
  private let path: String
  private let environment: [String: String]
  private var process: ChildProcess?

  private init(_ loop: Loop, _ kind: Kind, path: String, environment: [String: String]) {
    (self.loop, self.kind, self.path, self.environment) = (loop, kind, path, environment)
  }

  /// Returns the programs that are installed, the best one first. Throws if there is none.
  public static func all(
    on loop: Loop, environment: [String: String] = ChildCommand.ownEnvironment()
  ) throws(Failure) -> [InstalledSpeechProgram] {
    let programs = Kind.allCases.compactMap { kind in
      find(kind.rawValue, environment).map { InstalledSpeechProgram(loop, kind, path: $0, environment: environment) }
    }
    guard programs.isEmpty else { return programs }
    throw Failure(
      .unavailable, "--speak needs spd-say or espeak-ng, and neither is installed; install speech-dispatcher or espeak-ng")
  }

  /// Returns the path of a program in PATH.
  private static func find(_ name: String, _ environment: [String: String]) -> String? {
    (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").lazy.map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 }
  }

  public func speak(_ text: String, language: String?, completion: @escaping (String?) -> Void) {
    // NUL ends an argument.
    let arguments = kind.arguments(path, String(text.filter { $0 != "\0" }), language: language)
    do throws(SystemCallError) {
      process = try ChildProcess(
        loop: loop, command: ChildCommand(arguments, environment: environment, timeout: Self.timeout)
      ) { [unowned self] result in
        // The process is released outside of its own callback.
        loop.enqueue { [weak self] in
          self?.process = nil
          completion(Self.failure(of: result))
        }
      }
    } catch {
      loop.enqueue { completion("\(error)") }
    }
  }

  /// Returns the reason why a program did not speak; nil if it did.
  private static func failure(of result: ChildResult) -> String? {
    switch result.outcome {
    case .exited(0): nil
    case .exited(let code): "exit status \(code)\(lastLine(result.output.text))"
    case .signalled(let number): "signal \(number)"
    case .timedOut: "no end after \(timeout.text)"
    }
  }

  private static func lastLine(_ output: String) -> String {
    output.split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
  }
}
