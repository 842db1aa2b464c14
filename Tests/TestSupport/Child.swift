import CLinux
import EventLoop
import Foundation

/// A program that a test runs beside itself, as the leader of a process group. It is killed when the test lets go of it.
///
/// It starts with no signal blocked or ignored, though threads of tests block nearly all, and with no descriptors but its three. Foundation's `Process` gives a child
/// whatever other threads have open at that moment: whoever waits for the end of one of those pipes then waits for a stranger.
public final class Child {
  /// Where a standard descriptor leads. Of a pipe the child gets one end, and this process keeps only the other.
  public enum Stream {
    case nothing
    /// Where this process' own leads.
    case shared
    case pipe(Pipe)
    case file(FileHandle)
  }

  public let pid: pid_t
  public let program: String
  /// Held, so that it can write to a pipe whose reader wants no more.
  private let streams: [(number: Int32, stream: Stream)]
  private var status: Int32?

  /// - Parameters:
  ///   - program: its path.
  ///   - environment: what it has besides this process' own.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], input: Stream = .nothing, output: Stream = .nothing,
    errors: Stream = .shared
  ) throws {
    self.program = program
    streams = [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)]
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams {
      switch stream {
      case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .shared: break
      case .pipe(let pipe): posix_spawn_file_actions_adddup2(&actions, Self.end(of: pipe, for: number).fileDescriptor, number)
      case .file(let file): posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, number)
      }
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

    // The tests' own crashes are traced, those of the programs are not: their runtime would say on standard error that it cannot.
    let ours = ProcessInfo.processInfo.environment.filter { $0.key != "SWIFT_BACKTRACE" }
    let words = ours.merging(environment) { $1 }.map { "\($0)=\($1)" }
    let (argv, envp) = (Self.strings([program] + arguments), Self.strings(words))
    defer { (argv + envp).forEach { free($0) } }
    var pid: pid_t = 0
    let refusal = posix_spawn(&pid, program, &actions, &attributes, argv, envp)
    guard refusal == 0 else { throw SystemCallError(call: "posix_spawn", subject: program, code: refusal) }
    self.pid = pid
    for (number, stream) in streams {
      if case .pipe(let pipe) = stream { try Self.end(of: pipe, for: number).close() }
    }
  }

  deinit {
    kill()
  }

  /// Runs it to its end and throws unless that was a good one.
  public static func run(_ program: String, _ arguments: [String], errors: Stream = .shared) throws {
    let status = try Child(program, arguments, errors: errors).wait()
    guard status == 0 else { throw Failure(description: "\(program) \(arguments) ended with \(status)") }
  }

  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  public var isRunning: Bool {
    take(WNOHANG)
    return status == nil
  }

  public func signal(_ number: Int32) {
    if isRunning { Foundation.kill(pid, number) }
  }

  /// It dies without a word, and its process group with it, even when it has ended already and nobody has looked.
  public func kill() {
    guard status == nil else { return }
    Foundation.kill(-pid, SIGKILL)
    _ = wait()
  }

  /// The status it exits with, or minus the signal that ended it.
  public func wait() -> Int32 {
    while true {
      take(0)
      if let status { return status }
    }
  }

  private func take(_ options: Int32) {
    guard status == nil else { return }
    var word: Int32 = 0
    let answer = waitpid(pid, &word, options)
    // Somebody else has heard of its end.
    if answer < 0, errno == ECHILD { status = -1 }
    guard answer == pid else { return }
    let signal = word & 0x7f
    status = signal == 0 ? word >> 8 & 0xff : -signal
  }

  private static func end(of pipe: Pipe, for number: Int32) -> FileHandle {
    number == STDIN_FILENO ? pipe.fileHandleForReading : pipe.fileHandleForWriting
  }

  private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] { texts.map { strdup($0) } + [nil] }
}
