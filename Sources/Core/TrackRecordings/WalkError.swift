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
