import CLibical
import Departures
import EventLoop
import Glibc
import Instants

/// Reads iCalendar files (RFC 5545) with libical, in a child process.
///
/// The process ends by itself: no rule of a calendar keeps the daemon waiting, or makes it larger.
public enum CalendarReader {
  /// The maximum numbers of octets of a file, and of events in it.
  public static let mostOctets = 4 << 20
  public static let mostEvents = 10_000
  /// The maximum number of occurrences that are used: the first ones of the file.
  public static let mostOccurrences = 500
  /// The time ahead for which occurrences are found.
  public static let window = Span.seconds(8 * 86_400)
  /// The seconds of a processor that a file may take.
  static let mostSeconds = 5

  private static let limits = calendar_limits(
    octets: mostOctets, events: mostEvents, repetitions: 100_000, occurrences: mostOccurrences, seconds: mostSeconds, memory: 256 << 20)

  /// Reads a calendar, and waits for the result.
  public static func read(_ path: String, at now: Instant) -> CalendarContent {
    do throws(SystemCallError) {
      let process = try start(path, at: now)
      let pid = process.pid
      var octets: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 16_384)
      while true {
        let count = Glibc.read(process.output.number, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        octets += buffer[..<count]
      }
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      return content(octets, endedBy: signal == 0 ? nil : signal)
    } catch {
      return CalendarContent(failure: "\(error)")
    }
  }

  /// A child process, and the end of the pipe from it.
  struct Process: ~Copyable {
    let pid: pid_t
    let output: FileDescriptor
  }

  static func start(_ path: String, at now: Instant) throws(SystemCallError) -> Process {
    let seconds = now.microseconds / 1_000_000
    // An appointment that has just begun may still be missed.
    var output: Int32 = -1
    let pid = calendar_start(path, seconds - 300, seconds + window.microseconds / 1_000_000, limits, &output)
    guard pid > 0 else { throw .last("fork") }
    return Process(pid: pid, output: FileDescriptor(owning: output))
  }

  /// Decodes the output of the child process.
  ///
  /// - Parameter signal: the signal that ended the process; nil if it has exited.
  static func content(_ octets: [UInt8], endedBy signal: Int32? = nil) -> CalendarContent {
    var content = CalendarContent()
    var last = ""
    var isComplete = false
    func event(_ subject: String?) -> String { subject.map { "event \"\($0)\": " } ?? "" }
    for line in octets.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: 0x1F, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
      func text(_ index: Int) -> String? { parts.count > index && !parts[index].isEmpty ? parts[index] : nil }
      switch parts[0] {
      case "O":
        guard let seconds = text(1).flatMap({ Int64($0) }), abs(seconds) < 253_402_300_800 else { continue }
        content.entries.append(
          CalendarEntry(start: Instant(microseconds: seconds * 1_000_000), title: text(2), location: text(3), place: text(4)))
      case "B": last = text(1) ?? ""
      case "W", "E":
        guard content.warnings.count < 100 else { continue }
        content.warnings.append(event(text(1)) + (text(2) ?? ""))
      case "F": (content.failure, content.isMissing) = (text(2) ?? "cannot be read", text(1) == "missing")
      case "L": content.failure = "libical cannot be loaded; install libical3: \(text(2) ?? "")"
      case "Z": isComplete = true
      default: continue
      }
    }
    content.isComplete = isComplete
    if !isComplete, content.failure == nil {
      let isSlow = signal.map { [SIGPROF, SIGXCPU, SIGALRM].contains($0) } ?? false
      let cause =
        isSlow
        ? "takes more than \(mostSeconds) s, and the events behind it are ignored; simplify its RRULE"
        : "the reader ended\(signal.map { " by signal \($0)" } ?? ""), and the events from here on are ignored; "
          + "if that repeats, free memory or remove the event"
      content.warnings.append(event(last.isEmpty ? nil : last) + cause)
    }
    return content
  }
}
