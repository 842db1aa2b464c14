import Glibc
import Instants
import Records

/// What the receiver of positions said on a walk.
public final class WalkTrack: PlaybackTrack {
  private var reader: WalkReader

  /// Opens the recording, `-` for standard input; a FIFO may still be without a writer.
  public init(path: String) throws(CaptureFileError) {
    reader = try WalkReader(path: path, waitsForWriter: false)
  }

  public var pipe: CInt? { reader.size == nil ? reader.descriptor : nil }
  public var period: ClosedRange<Instant>? { reader.period }

  /// With the fixes that are passed over because they have no time.
  public var lines: Record? {
    var record = reader.counts
    if reader.untimed > 0 { record.append("untimed", .count(UInt64(reader.untimed))) }
    return record
  }

  public func read(into cues: inout PlaybackCues) throws(CaptureFileError) -> Bool {
    try reader.read(into: &cues.reports)
  }
}
