/// Why a file is no recording of positions.
public enum WalkError: Error, Hashable, Sendable {
  /// Up to this line nothing is NMEA 0183 or JSON of gpsd.
  case strange(line: Int)
  /// gpsd's protocol of that major version, in this line.
  case version(Int, line: Int)
  /// The whole file has so many lines, and in none a fix with a time.
  case noFix(lines: Int)
}

extension WalkError: CustomStringConvertible {
  /// One line: place, what is wrong, what to do.
  public var description: String {
    switch self {
    case .strange(let line):
      "line \(line): up to here nothing is NMEA 0183 or JSON of gpsd; record a walk with \"gpspipe -r > walk.nmea\""
    case .version(let major, let line):
      "line \(line): this is protocol \(major) of gpsd, and only 3 is understood; record it as NMEA, with gpspipe -r"
    case .noFix(let lines):
      "line \(lines): the recording ends without a fix that has a time; record it again under the open sky"
    }
  }
}
