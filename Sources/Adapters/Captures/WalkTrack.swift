import Glibc
import Instants
import Records

/// The reports of a location receiver on a walk.
public final class WalkTrack: PlaybackTrack {
  private var reader: WalkReader

  /// Opens the recording, `-` for standard input; a FIFO may not have a writer yet.
  public init(path: String) throws(CaptureFileError) {
    reader = try WalkReader(path: path, waitsForWriter: false)
  }

  public var pipe: CInt? { reader.size == nil ? reader.descriptor : nil }
  public var period: ClosedRange<Instant>? { reader.period }

  /// The counts of the lines, with the number of fixes that are skipped because they have no time.
  public var lines: LineStatistics? {
    var lines = reader.counts
    if reader.untimed > 0 { lines.untimed = UInt64(reader.untimed) }
    return lines
  }

  public func read(into cues: inout PlaybackCues) throws(CaptureFileError) -> Bool {
    try reader.read(into: &cues.reports)
  }
}
