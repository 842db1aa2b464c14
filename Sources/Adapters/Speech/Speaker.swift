import EventLoop
import Failures
import Glibc
import Instants

/// Speaks sentences one after the other through a program of the system, without a shell.
///
/// Speaking never delays the caller: while a sentence is spoken, only the latest one waits. A program that fails is replaced by the next
/// one, and is tried again after a while.
public final class Speaker {
  private enum Program: String, CaseIterable {
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

  /// A program that is installed.
  private struct Installed {
    let program: Program
    let path: String
    var backoff = Backoff(from: .seconds(5), to: .seconds(300))
    /// The time at which a program that failed is tried again; nil if it speaks.
    var retry: Instant?
  }

  private struct Sentence {
    let text: String
    let language: String?
    let isReassurance: Bool
  }

  /// The longest time for a sentence.
  private static let timeout = Span.seconds(20)

  private let loop: Loop
  private let clock: () -> Instant
  /// The programs that are installed, the best one first.
  private var programs: [Installed] = []
  /// The index of the program that speaks the present sentence.
  private var speaking = 0
  private let environment: [String: String]
  private var current: ChildProcess?
  private var spoken: Sentence?
  private var waiting: Sentence?
  private var onSilence: (() -> Void)?
  /// The programs whose failure was reported since they spoke last.
  private var failed: Set<Program> = []
  /// Receives the reason, once for each program that fails, and again when it has spoken in between.
  public var onFailure: (String) -> Void = { _ in }

  /// Throws if no program that speaks is installed.
  ///
  /// - Parameter clock: the time by which a program that failed is tried again; nil for that of the loop.
  public init(
    _ loop: Loop, environment: [String: String] = ChildCommand.ownEnvironment(), clock: (() -> Instant)? = nil
  ) throws(Failure) {
    self.loop = loop
    self.environment = environment
    self.clock = clock ?? { loop.now }
    for program in Program.allCases {
      if let path = Self.find(program.rawValue, environment) { programs.append(Installed(program: program, path: path)) }
    }
    guard programs.isEmpty else { return }
    throw Failure(
      .unavailable, "--speak needs spd-say or espeak-ng, and neither is installed; install speech-dispatcher or espeak-ng")
  }

  /// Returns the path of a program in PATH.
  private static func find(_ name: String, _ environment: [String: String]) -> String? {
    (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").lazy.map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 }
  }

  /// Speaks a sentence after the present one. A sentence that still waits is outdated, and is dropped.
  ///
  /// - Parameter isReassurance: whether a visitor can do without it. It never takes the place of an instruction that waits.
  public func speak(_ text: String, language: String?, isReassurance: Bool = false) {
    if isReassurance, let waiting, !waiting.isReassurance { return }
    // NUL ends an argument.
    waiting = Sentence(text: String(text.filter { $0 != "\0" }), language: language, isReassurance: isReassurance)
    speakNext()
  }

  /// Calls `body` when nothing is left to say.
  public func whenSilent(_ body: @escaping () -> Void) {
    guard current != nil || waiting != nil else { return body() }
    onSilence = body
  }

  /// The index of the best program that did not fail lately, or of the one that is tried again first.
  private var due: Int {
    let now = clock()
    return programs.firstIndex { $0.retry.map { $0 <= now } ?? true }
      ?? programs.indices.min { (programs[$0].retry ?? now) < (programs[$1].retry ?? now) } ?? 0
  }

  private func speakNext() {
    guard current == nil else { return }
    guard let sentence = waiting else {
      onSilence?()
      onSilence = nil
      return
    }
    (waiting, spoken) = (nil, sentence)
    speaking = due
    let (program, path) = (programs[speaking].program, programs[speaking].path)
    let arguments = program.arguments(path, sentence.text, language: sentence.language)
    do throws(SystemCallError) {
      current = try ChildProcess(
        loop: loop, command: ChildCommand(arguments, environment: environment, timeout: Self.timeout)
      ) { [unowned self] result in
        ended(result)
      }
    } catch {
      fail("\(error)")
      loop.enqueue { [weak self] in self?.speakNext() }
    }
  }

  private func ended(_ result: ChildResult) {
    switch result.outcome {
    case .exited(0):
      programs[speaking].backoff.reset()
      programs[speaking].retry = nil
      failed.remove(programs[speaking].program)
    case .exited(let code): fail("exit status \(code)\(Self.lastLine(result.output.text))")
    case .signalled(let number): fail("signal \(number)")
    case .timedOut: fail("no end after \(Self.timeout.text)")
    }
    // The process is released outside of its own callback.
    loop.enqueue { [weak self] in
      self?.current = nil
      self?.speakNext()
    }
  }

  private static func lastLine(_ output: String) -> String {
    output.split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
  }

  /// Reports a failure, and repeats the sentence with the next program, unless an instruction has replaced it.
  private func fail(_ reason: String) {
    let program = programs[speaking].program
    if failed.insert(program).inserted { onFailure("\(program.rawValue) does not speak: \(reason)") }
    programs[speaking].retry = clock() + programs[speaking].backoff.next()
    guard programs.contains(where: { $0.retry == nil || $0.retry.map { $0 <= clock() } == true }) else { return }
    if waiting?.isReassurance ?? true { waiting = spoken }
  }
}
