import GPSD
import Instants
import Locations
import NMEA
import Records

/// From the octets of a recorded walk to what the receiver said on it: NMEA 0183, or the JSON of gpsd, as `gpspipe -r` and `gpspipe -w` write them.
///
/// Which of them it is shows line by line. A recording may have both, as `gpspipe -rw` makes one: whichever tells a position first is believed from there on, or
/// everything would be told twice.
public struct WalkDecoder: Sendable {
  /// As long as a report of gpsd may be.
  private static let longestLine = 65_536
  /// After so many lines without sense it is something else.
  private static let mostStrange = 100

  private enum Language {
    case nmea
    case gpsd
  }

  /// Lines so far, without those that are empty.
  public private(set) var lines = 0
  /// Fixes that do not say when they were.
  public private(set) var untimed = 0
  /// From the first time to the last so far; nil before the first.
  public private(set) var period: ClosedRange<Instant>?
  private var latest: Instant?
  private var believed: Language?
  private var cutter = LineCutter(longest: longestLine)
  private var nmea = NMEADecoder()
  private var gpsd = GPSDDecoder(isRecording: true)

  public init() {}

  /// - Parameter reports: what was said, in the order of the file; what is before an error counts.
  public mutating func decode(_ octets: some RandomAccessCollection<UInt8>, into reports: inout [WalkReport]) throws(WalkError) {
    for line in cutter.lines(in: octets) {
      try take(line, into: &reports)
      if understood == 0, lines >= Self.mostStrange { throw .strange(line: lines) }
    }
    if understood == 0, cutter.tooLong > 0 { throw .strange(line: lines + 1) }
  }

  /// The recording is over, and with it its last line and its last epoch.
  public mutating func finish(into reports: inout [WalkReport]) throws(WalkError) {
    for line in cutter.lines(in: [UInt8(ascii: "\n")]) { try take(line, into: &reports) }
    var last: [SourceReport] = []
    nmea.finish(into: &last)
    tell(last, of: .nmea, into: &reports)
    if period == nil { throw understood == 0 && lines > 0 ? .strange(line: lines) : .noFix(lines: lines) }
  }

  private mutating func take(_ line: [UInt8], into reports: inout [WalkReport]) throws(WalkError) {
    lines += 1
    let line = line + [UInt8(ascii: "\n")]
    guard line.first == UInt8(ascii: "{") else {
      var said: [SourceReport] = []
      // A recording has no pauses.
      nmea.decode(line, at: Instant(microseconds: 0), into: &said)
      return tell(said, of: .nmea, into: &reports)
    }
    var said: [GPSDReport] = []
    gpsd.decode(line, into: &said)
    for report in said {
      switch report {
      case .version(let version):
        guard version.isUnderstood else { throw .version(version.major, line: lines) }
      case .epoch(let report, _): tell([report], of: .gpsd, into: &reports)
      case .heading(let heading, _): tell([.heading(heading)], of: .gpsd, into: &reports)
      case .devices, .device, .error: break
      }
    }
  }

  private mutating func tell(_ said: [SourceReport], of language: Language, into reports: inout [WalkReport]) {
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

  /// Lets the walk go on until a time that the receiver tells without a fix: one after the last, and not by a jump as from a clock that is not set.
  private mutating func pass(to time: Instant) {
    guard let latest, let period, time > latest, time - latest <= Self.longestGap else { return }
    self.latest = time
    self.period = period.lowerBound...max(time, period.upperBound)
  }

  private static let longestGap = Span.seconds(86_400)

  /// Lines that are one of the languages, whatever they say.
  private var understood: Int { nmea.counts.used + nmea.counts.unused + gpsd.counts.used + gpsd.counts.unused }

  /// What became of the lines, of both languages together. Faults that did not occur are not there.
  public var counts: Record {
    let (sentences, reports) = (nmea.counts.faults, gpsd.counts.faults)
    let faults: KeyValuePairs = [
      "checksum": sentences[.checksum], "garbage": sentences[.garbage],
      "length": sentences[.length] + reports[.length] + cutter.tooLong, "field": sentences[.field] + reports[.field],
      "json": reports[.json], "version": reports[.version],
    ]
    var malformed = Record()
    for (name, count) in faults where count > 0 { malformed.append(name, .count(UInt64(count))) }
    return Record([
      "used": .count(UInt64(nmea.counts.used + gpsd.counts.used)), "unused": .count(UInt64(nmea.counts.unused + gpsd.counts.unused)),
      "malformed": .record(malformed),
    ])
  }
}
