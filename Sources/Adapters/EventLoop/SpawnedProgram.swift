import CLinux
import Glibc

/// A program that was just started, as the leader of its own process group.
struct SpawnedProgram: ~Copyable {
  let pid: pid_t
  /// Our end of its standard input; does not block.
  let input: FileDescriptor
  /// Our end of its standard output and error, which share one pipe; does not block.
  let output: FileDescriptor

  /// The program starts with no blocked or ignored signals and no descriptors but its three. A text with a NUL in it is EINVAL.
  init(arguments: [String], environment: [String: String]) throws(SystemCallError) {
    let words = environment.map { "\($0.key)=\($0.value)" }
    guard let program = arguments.first, !(arguments + words).contains(where: { $0.utf8.contains(0) }) else {
      throw SystemCallError(call: "posix_spawn", subject: arguments.first, code: EINVAL)
    }
    let toChild = try Pipe()
    let fromChild = try Pipe()
    try toChild.writing.setNonBlocking()
    try fromChild.reading.setNonBlocking()

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Self.configure(&attributes)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild.reading.number, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fromChild.writing.number, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fromChild.writing.number, STDERR_FILENO)
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

    var pid: pid_t = 0
    let refusal = withCStrings(arguments) { arguments in
      withCStrings(words) { environment in
        posix_spawnp(&pid, program, &actions, &attributes, arguments, environment)
      }
    }
    guard refusal == 0 else { throw SystemCallError(call: "posix_spawn", subject: program, code: refusal) }
    self.pid = pid
    input = toChild.writing
    output = fromChild.reading
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

/// A null-terminated array of C strings that lives as long as the call.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
  copies.append(nil)
  defer { copies.forEach { free($0) } }
  return body(copies)
}
