import EventLoop
import Glibc
import Instants
import Metrics
import ProgramVersion

extension ProcessFigures {
  /// Reads the figures of this process from the kernel: proc(5), getrusage(2).
  init(ofProcess loop: Loop) {
    self.init()
    version = ProgramVersion.current
    var usage = rusage()
    if getrusage(RUSAGE_SELF.rawValue, &usage) == 0 {
      let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
      processorTime = Span(microseconds: Int64(seconds) * 1_000_000 + Int64(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec))
    }
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 { mostDescriptors = UInt64(limit.rlim_cur) }
    if let pages = Self.words(of: "/proc/self/statm").dropFirst().first.flatMap({ UInt64($0) }) {
      residentMemory = pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }
    openDescriptors = Folder.names(in: "/proc/self/fd").count
    wakeUps = loop.wakeUps
  }

  /// Returns the start of this process since the Unix epoch; nil if the kernel does not report it.
  static func startTime(_ loop: Loop) -> Instant? {
    // The name of the program, in parentheses, is the second value; the start is the 22nd.
    guard let ticks = words(of: "/proc/self/stat").drop(while: { !$0.hasSuffix(")") }).dropFirst(20).first.flatMap({ Int64($0) }) else {
      return nil
    }
    let sinceBoot = Span(microseconds: ticks * 1_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
    return WallClock.now - (loop.sinceBoot - (Instant(microseconds: 0) + sinceBoot))
  }

  private static func words(of file: String) -> [Substring] {
    let octets = (try? FileContent.octets(of: file, limit: 1024)) ?? []
    return String(decoding: octets, as: UTF8.self).split(whereSeparator: \.isWhitespace)
  }
}
