import EventLoop
import Foundation

/// A program that a test runs as the leader of a process group. It is killed when the test releases it.
///
/// It starts as the programs of the config do. Foundation's `Process` would give a child the blocked signals of a test's thread, and all
/// descriptors that other threads have open at that moment. A reader of one of those pipes would then wait for an unrelated process.
public final class Child {
  /// The target of a standard descriptor. The child gets one end of a pipe, and this process keeps the other.
  public enum Stream {
    case nothing
    /// The descriptor of this process.
    case shared
    case pipe(Pipe)
    case file(FileHandle)
  }

  public let pid: pid_t
  public let program: String
  /// The streams are held, so that the child can write to a pipe whose reader has stopped reading.
  private let streams: [(number: Int32, stream: Stream)]
  private var status: Int32?

  /// - Parameters:
  ///   - program: The path of the program.
  ///   - environment: Variables beside those of this process.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], input: Stream = .nothing, output: Stream = .nothing,
    errors: Stream = .shared
  ) throws {
    self.program = program
    streams = [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)]
    let nothing = try FileHandle(forUpdating: URL(fileURLWithPath: "/dev/null"))
    let descriptors = streams.map { number, stream in
      switch stream {
      case .nothing: nothing.fileDescriptor
      case .shared: number
      case .pipe(let pipe): Self.end(of: pipe, for: number).fileDescriptor
      case .file(let file): file.fileDescriptor
      }
    }
    // Only crashes of the tests are traced: the runtime of a program would print on standard error that it cannot trace.
    let ours = ProcessInfo.processInfo.environment.filter { $0.key != "SWIFT_BACKTRACE" }
    pid = try ProgramStart.process(
      of: [program] + arguments, environment: ours.merging(environment) { $1 }, input: descriptors[0], output: descriptors[1],
      errors: descriptors[2])
    for (number, stream) in streams {
      if case .pipe(let pipe) = stream { try Self.end(of: pipe, for: number).close() }
    }
  }

  deinit {
    kill()
  }

  /// Runs a program to its end. Throws unless its status is zero.
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

  /// Kills the program's process group with SIGKILL, even if the program has already ended as a zombie.
  public func kill() {
    guard status == nil else { return }
    Foundation.kill(-pid, SIGKILL)
    _ = wait()
  }

  /// Returns the exit status, or minus the signal that ended the program.
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
    // Another caller has reaped the program.
    if answer < 0, errno == ECHILD { status = -1 }
    guard answer == pid else { return }
    let signal = word & 0x7f
    status = signal == 0 ? word >> 8 & 0xff : -signal
  }

  private static func end(of pipe: Pipe, for number: Int32) -> FileHandle {
    number == STDIN_FILENO ? pipe.fileHandleForReading : pipe.fileHandleForWriting
  }
}
