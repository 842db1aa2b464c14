import Glibc

/// Runs programs of the system.
public struct Command {
  private let words: [String]

  /// - Parameter words: the program and its first arguments
  public init(_ words: [String]) { self.words = words }

  /// Runs the program with more arguments, and returns its output.
  ///
  /// Throws if the program does not start or fails, with its standard error.
  ///
  /// - Parameter input: the open file that is the program's standard input
  @discardableResult
  public func run(_ arguments: [String] = [], input: Int32? = nil) throws(CommandError) -> String {
    guard let log = tmpfile() else { throw failure(String(cString: strerror(errno))) }
    defer { fclose(log) }
    var pipes: [Int32] = [-1, -1]
    guard pipe(&pipes) == 0, fcntl(pipes[0], F_SETFD, FD_CLOEXEC) == 0 else { throw failure(String(cString: strerror(errno))) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
    let errors = fileno(log)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    posix_spawn_file_actions_addclose(&actions, pipes[1])
    let texts = (words + arguments).map { strdup($0) }
    defer { for text in texts { free(text) } }
    var process: pid_t = 0
    let status = posix_spawnp(&process, words[0], &actions, nil, texts + [nil], environ)
    close(pipes[1])
    defer { close(pipes[0]) }
    guard status == 0 else { throw failure(String(cString: strerror(status))) }
    let output = Self.read(pipes[0])
    var result: Int32 = 0
    while waitpid(process, &result, 0) < 0, errno == EINTR {}
    guard result == 0 else {
      lseek(errors, 0, SEEK_SET)
      throw failure((result & 0x7F == 0 ? "exit status \(result >> 8 & 0xFF)" : "signal \(result & 0x7F)") + "\n" + Self.read(errors))
    }
    return output
  }

  private static func read(_ descriptor: Int32) -> String {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: output, as: UTF8.self) }
      output += buffer[..<count]
    }
  }

  private func failure(_ reason: String) -> CommandError { CommandError(description: "\(words.joined(separator: " ")): \(reason)") }
}

/// The error of a program that was run.
public struct CommandError: Error, CustomStringConvertible {
  public var description: String
}
