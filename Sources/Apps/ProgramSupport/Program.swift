import Failures
import Glibc

/// The start and the end of every program.
public enum Program {
  /// Opens /dev/null for each standard descriptor that the parent process has closed.
  /// Otherwise the next file would take its number and its output.
  public static func openStandardDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one.
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Runs `body` and ends the process with its status, or with one line on standard error and the failure's status.
  public static func run(_ name: String, _ body: () throws(Failure) -> ExitStatus) -> Never {
    openStandardDescriptors()
    do throws(Failure) {
      exit(try body().rawValue)
    } catch {
      write(lines(of: error.description, by: name)[...], to: STDERR_FILENO)
      exit(error.status.rawValue)
    }
  }

  /// Returns each line of a message, prefixed with the program's name.
  /// The lines are octets, because a config may have a hundred thousand mistakes, and characters take a multiple of the time.
  private static func lines(of message: String, by name: String) -> [UInt8] {
    let start = Array("\(name): ".utf8)
    var message = message
    return message.withUTF8 { octets in
      var lines: [UInt8] = []
      lines.reserveCapacity(octets.count + octets.count / 4 + start.count + 1)
      for line in octets.split(separator: UInt8(ascii: "\n")) {
        lines += start
        lines += line
        lines.append(UInt8(ascii: "\n"))
      }
      return lines
    }
  }

  /// Writes all of `text`; errors are ignored, because there is no other place to report them.
  public static func write(_ text: String, to descriptor: Int32) {
    write(Array(text.utf8)[...], to: descriptor)
  }

  private static func write(_ octets: ArraySlice<UInt8>, to descriptor: Int32) {
    var octets = octets
    while !octets.isEmpty {
      let written = octets.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 && errno != EINTR { return }
      octets = octets.dropFirst(max(0, written))
    }
  }
}
