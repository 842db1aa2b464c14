import BeaconAdvertising
import Glibc
import Instants

/// The beacons of a btsnoop capture.
public final class SightingTrack: PlaybackTrack {
  /// The chunk length in octets at limited speed: small, so that the counts closely match the delivered sightings.
  private static let shortChunk = 4096

  private var reader: CaptureReader

  /// Opens the capture, `-` for standard input; a FIFO may not have a writer yet.
  public init(path: String, pace: CapturePlayback.Pace) throws(CaptureFileError) {
    reader = try CaptureReader(path: path, waitsForWriter: false, chunk: pace == .unpaced ? CaptureReader.longChunk : Self.shortChunk)
  }

  public var pipe: CInt? { reader.size == nil ? reader.descriptor : nil }
  public var period: ClosedRange<Instant>? { reader.period }
  public var counts: AdvertisementCounts? { reader.counts }
  public var roster: AdapterRoster { reader.roster }

  public func configure(_ settings: [AdapterSettings]) {
    reader.configure(settings)
  }

  public func read(into cues: inout PlaybackCues) throws(CaptureFileError) -> Bool {
    try reader.read(into: &cues.sightings)
  }
}
