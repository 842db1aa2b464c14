import Failures
import Glibc

/// What every program does at its two ends.
public enum Program {
  public static let version = "0.1.0"

  /// Opens /dev/null for a standard descriptor that whoever started us had closed: else the next file would take its number and its output.
  public static func openStandardDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one.
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Runs `body` and leaves the process with its status, or with one line on standard error and the failure's status.
  public static func run(_ name: String, _ body: () throws(Failure) -> ExitStatus) -> Never {
    openStandardDescriptors()
    do throws(Failure) {
      exit(try body().rawValue)
    } catch {
      let lines = error.description.split(separator: "\n").map { "\(name): \($0)\n" }.joined()
      write(lines, to: STDERR_FILENO)
      exit(error.status.rawValue)
    }
  }

  /// Writes all of `text`; what cannot be written has nobody to be told to.
  public static func write(_ text: String, to descriptor: Int32) {
    var octets = Array(text.utf8)[...]
    while !octets.isEmpty {
      let written = octets.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 && errno != EINTR { return }
      octets = octets.dropFirst(max(0, written))
    }
  }
}
