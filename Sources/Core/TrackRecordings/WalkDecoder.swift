import GPSD
import Instants
import Locations
import NMEA
import Records

/// Decodes a recorded walk into the reports of its receiver.
/// The formats are NMEA 0183 and the JSON of gpsd, as `gpspipe -r` and `gpspipe -w` write them.
///
/// The decoder detects the format line by line. A recording may contain both, as from `gpspipe -rw`. The format that first reports a
/// position is used from there on, because otherwise every report would appear twice.
public struct WalkDecoder: Sendable {
  /// The maximum line length, which is that of a gpsd report.
  private static let longestLine = 65_536
  /// The number of unknown lines after which the file is rejected.
  private static let mostStrange = 100

  private enum Language {
    case nmea
    case gpsd
  }

  /// The number of non-empty lines so far.
  public private(set) var lines = 0
  /// The number of fixes without a time.
  public private(set) var untimed = 0
  /// The period from the first time to the last so far; nil before the first.
  public private(set) var period: ClosedRange<Instant>?
  private var latest: Instant?
  private var believed: Language?
  private var cutter = LineCutter(longest: longestLine)
  private var nmea = NMEADecoder()
  private var gpsd = GPSDDecoder(isRecording: true)

  public init() {}

  /// Decodes octets.
  ///
  /// - Parameter reports: receives the reports in the order of the file; reports before an error count.
  public mutating func decode(_ octets: some RandomAccessCollection<UInt8>, into reports: inout [WalkReport]) throws(WalkError) {
    for line in cutter.lines(in: octets) {
      try take(line, into: &reports)
      if understood == 0, lines >= Self.mostStrange { throw .strange(line: lines) }
    }
    if understood == 0, cutter.tooLong > 0 { throw .strange(line: lines + 1) }
  }

  /// Ends the recording, its last line and its last epoch.
  public mutating func finish(into reports: inout [WalkReport]) throws(WalkError) {
    for line in cutter.lines(in: [UInt8(ascii: "\n")]) { try take(line, into: &reports) }
    var last: [SourceReport] = []
    nmea.finish(into: &last)
    append(last, of: .nmea, into: &reports)
    if period == nil { throw understood == 0 && lines > 0 ? .strange(line: lines) : .noFix(lines: lines) }
  }

  private mutating func take(_ line: [UInt8], into reports: inout [WalkReport]) throws(WalkError) {
    lines += 1
    let line = line + [UInt8(ascii: "\n")]
    guard line.first == UInt8(ascii: "{") else {
      var said: [SourceReport] = []
      // The time is constant, because a recording has no pauses.
      nmea.decode(line, at: Instant(microseconds: 0), into: &said)
      return append(said, of: .nmea, into: &reports)
    }
    var said: [GPSDReport] = []
    gpsd.decode(line, into: &said)
    for report in said {
      switch report {
      case .version(let version):
        guard version.isUnderstood else { throw .version(version.major, line: lines) }
      case .epoch(let report, _): append([report], of: .gpsd, into: &reports)
      case .heading(let heading, _): append([.heading(heading)], of: .gpsd, into: &reports)
      case .devices, .device, .error: break
      }
    }
  }

  private mutating func append(_ said: [SourceReport], of language: Language, into reports: inout [WalkReport]) {
    for report in said {
      guard believed == nil || believed == language else { return }
      guard case .reading(let reading) = report else {
        if case .searching(_, let time?) = report { pass(to: time) }
        if let latest { reports.append(WalkReport(report, at: latest)) }
        continue
      }
      believed = language
      guard let time = reading.time else {
        untimed += 1
        continue
      }
      latest = time
      period = min(time, period?.lowerBound ?? time)...max(time, period?.upperBound ?? time)
      reports.append(WalkReport(report, at: time))
    }
  }

  /// Extends the walk to a time that the receiver reports without a fix.
  /// The time must be later than the last one, and not far ahead as that of a clock that is not set.
  private mutating func pass(to time: Instant) {
    guard let latest, let period, time > latest, time - latest <= Self.longestGap else { return }
    self.latest = time
    self.period = period.lowerBound...max(time, period.upperBound)
  }

  private static let longestGap = Span.seconds(86_400)

  /// The number of lines in one of the formats, used or not.
  private var understood: Int { nmea.counts.used + nmea.counts.unused + gpsd.counts.used + gpsd.counts.unused }

  /// The counts of lines by outcome, for both formats together; faults that did not occur are absent.
  public var counts: LineStatistics {
    let (sentences, reports) = (nmea.counts.faults, gpsd.counts.faults)
    let faults: KeyValuePairs = [
      "checksum": sentences[.checksum], "garbage": sentences[.garbage],
      "length": sentences[.length] + reports[.length] + cutter.tooLong, "field": sentences[.field] + reports[.field],
      "json": reports[.json], "version": reports[.version],
    ]
    var malformed = NamedCounts()
    for (name, count) in faults { malformed.append(name, count) }
    return LineStatistics(
      used: UInt64(nmea.counts.used + gpsd.counts.used), unused: UInt64(nmea.counts.unused + gpsd.counts.unused), malformed: malformed)
  }
}

/// The reason why a file is not a recording of positions.
public enum WalkError: Error, Hashable, Sendable {
  /// No line up to this one is NMEA 0183 or gpsd JSON.
  case strange(line: Int)
  /// A line has an unsupported major version of gpsd's protocol.
  case version(Int, line: Int)
  /// The whole file has this number of lines and no fix with a time.
  case noFix(lines: Int)
}

extension WalkError: CustomStringConvertible {
  /// One line with the place, the error and the remedy.
  public var description: String {
    switch self {
    case .strange(let line):
      "line \(line): no line so far is NMEA 0183 or JSON of gpsd; record a walk with \"gpspipe -r > walk.nmea\""
    case .version(let major, let line):
      "line \(line): this is protocol \(major) of gpsd, but only 3 is supported; record NMEA instead, with gpspipe -r"
    case .noFix(let lines):
      "line \(lines): the recording ends without a fix that has a time; record it again with a clear view of the sky"
    }
  }
}

/// A report of the receiver on a walk, and its time on the receiver's clock.
public struct WalkReport: Hashable, Sendable {
  public var report: SourceReport
  /// The time since the Unix epoch; the last reported time if the receiver has neither a fix nor a time.
  public var time: Instant

  public init(_ report: SourceReport, at time: Instant) {
    self.report = report
    self.time = time
  }
}

extension Location.Source {
  /// The receiver of a recorded walk.
  public static let capture = Location.Source("capture")
}
