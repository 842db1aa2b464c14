import CLinux
import Glibc

/// Starts programs, for the config's commands and for tests.
public enum ProgramStart {
  /// Starts a program as the leader of its own process group, and returns its process.
  /// The program has no blocked or ignored signals, and no descriptors but its three.
  ///
  /// - Parameters:
  ///   - arguments: the program first; without a slash it is looked for in PATH. A text with a NUL in it is EINVAL.
  ///   - input: becomes its standard input, and stays open here; so do the others.
  public static func process(
    of arguments: [String], environment: [String: String], input: Int32, output: Int32, errors: Int32
  ) throws(SystemCallError) -> pid_t {
    let words = environment.map { "\($0.key)=\($0.value)" }
    guard let program = arguments.first, !(arguments + words).contains(where: { $0.utf8.contains(0) }) else {
      throw SystemCallError(call: "posix_spawn", subject: arguments.first, code: EINVAL)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    configure(&attributes)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
      posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

    var pid: pid_t = 0
    let refusal = withCStrings(arguments) { arguments in
      withCStrings(words) { environment in
        posix_spawnp(&pid, program, &actions, &attributes, arguments, environment)
      }
    }
    guard refusal == 0 else { throw SystemCallError(call: "posix_spawn", subject: program, code: refusal) }
    return pid
  }

  private static func configure(_ attributes: inout posix_spawnattr_t) {
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  }
}

/// Calls `body` with a null-terminated array of C strings that lives as long as the call.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
  copies.append(nil)
  defer { copies.forEach { free($0) } }
  return body(copies)
}
