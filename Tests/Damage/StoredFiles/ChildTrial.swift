internal import CFaultVFS
import Glibc

/// Runs a trial in a child process, in which a trap is detected and a hang ends.
public enum ChildTrial {
  public struct Outcome {
    /// The lines that the trial printed.
    public var lines: [String]
    public var faults: [String]
    public var reportedLosses = 0
    /// The wall clock time.
    public var seconds: Double
    /// The processor time of the trial: the wall clock says little beside other work.
    public var processorSeconds = 0.0
    public var isHang = false
  }

  /// Forks, runs `body` in the child and returns its findings. Requires a process with one thread.
  ///
  /// - Parameters:
  ///   - limit: The seconds until the child is killed, which is a fault.
  ///   - body: Receives a closure that reports progress.
  public static func run(limit: Double, _ body: ((String) -> Void) throws -> Verdict) throws -> Outcome {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw RawDatabase.Failure(description: "pipe: errno \(errno)") }
    let start = now()
    let pid = trial_fork()
    guard pid >= 0 else { throw RawDatabase.Failure(description: "fork: errno \(errno)") }
    if pid == 0 {
      close(ends[0])
      runAsChild(writingTo: ends[1], body)
    }
    close(ends[1])
    defer { close(ends[0]) }
    var text: [UInt8] = []
    var isHang = false
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let left = limit - (now() - start)
      var descriptor = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      if left <= 0 || poll(&descriptor, 1, Int32(left * 1000) + 1) == 0 {
        isHang = true
        kill(pid, SIGKILL)
        break
      }
      let count = read(ends[0], &chunk, chunk.count)
      if count <= 0 { break }
      text += chunk[..<count]
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
    var outcome = Outcome(lines: [], faults: [], seconds: now() - start, isHang: isHang)
    for time in [usage.ru_utime, usage.ru_stime] { outcome.processorSeconds += Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      switch line.first {
      case "!": outcome.faults.append(String(line.dropFirst()))
      case "#": outcome.reportedLosses = Int(line.dropFirst()) ?? 0
      default: outcome.lines.append(String(line))
      }
    }
    let signal = status & 0x7f
    if isHang {
      outcome.faults.append("no end within \(Int(limit * 10) / 10) s")
    } else if signal != 0 {
      outcome.faults.append("ended by signal \(signal), a trap")
    } else if status != 0 {
      outcome.faults.append("ended with \(status >> 8)")
    }
    return outcome
  }

  private static func runAsChild(writingTo descriptor: Int32, _ body: ((String) -> Void) throws -> Verdict) -> Never {
    // The daemon's log is irrelevant, and the backtrace of a trap takes seconds.
    func say(_ line: String) {
      let octets = Array((line.replacing("\n", with: " ") + "\n").utf8)
      _ = octets.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
    do {
      let verdict = try body(say)
      for fault in verdict.faults { say("!\(fault)") }
      say("#\(verdict.reportedLosses)")
    } catch {
      say("!the trial itself failed: \(error)")
    }
    _exit(0)
  }

  /// Returns the seconds of a clock that is never set.
  public static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
