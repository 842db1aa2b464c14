import BeaconAdvertising
import Glibc
import Instants
import Records
import TrackRecordings

/// An input of a playback, read piece by piece: beacons, a walk, or a simulated venue with both.
public protocol PlaybackTrack: AnyObject {
  /// The descriptor of a pipe or a device, which may require waiting; nil for an input that can be read at any time.
  var pipe: CInt? { get }
  /// The time from the first record to the last so far; nil before the first.
  var period: ClosedRange<Instant>? { get }
  /// The counts of its advertisements by outcome; nil for a track without any.
  var counts: AdvertisementCounts? { get }
  /// The adapters of its sightings.
  var roster: AdapterRoster { get }
  /// The counts of a walk's lines by outcome; nil for a track without lines.
  var lines: LineStatistics? { get }

  /// Sets which adapters count and their RSSI offsets, for the data that is read from now on.
  func configure(_ settings: [AdapterSettings])
  /// Returns the telemetry of beacons in what was read since the last call, which may be ahead of the playback.
  func takeTelemetry() -> [BeaconTelemetry]
  /// Reads the next piece, which may hold nothing, and returns false at the end.
  /// The cues of a throwing call are valid, and nothing more can be read.
  func read(into cues: inout PlaybackCues) throws(CaptureFileError) -> Bool
}

extension PlaybackTrack {
  public var counts: AdvertisementCounts? { nil }
  public var roster: AdapterRoster { AdapterRoster() }
  public var lines: LineStatistics? { nil }
  public func configure(_ settings: [AdapterSettings]) {}
  public func takeTelemetry() -> [BeaconTelemetry] { [] }
}

/// The sightings, location reports and motions to deliver, each in its order.
public struct PlaybackCues {
  public var sightings: [Sighting] = []
  public var reports: [WalkReport] = []
  public var motions: [RecordedMotion] = []

  var isEmpty: Bool { sightings.isEmpty && reports.isEmpty && motions.isEmpty }
  var count: Int { sightings.count + reports.count + motions.count }

  /// The time of the first cue; `.never` if there is none.
  var first: Instant { min(sightings.first?.time ?? .never, reports.first?.time ?? .never, motions.first?.time ?? .never) }
  /// The time of the last cue; nil if there is none.
  var last: Instant? { [sightings.last?.time, reports.last?.time, motions.last?.time].compactMap(\.self).max() }

  /// Removes and returns the cues up to `time`.
  mutating func take(through time: Instant) -> PlaybackCues {
    var due = PlaybackCues()
    due.sightings = sightings.takePrefix { $0.time <= time }
    due.reports = reports.takePrefix { $0.time <= time }
    due.motions = motions.takePrefix { $0.time <= time }
    return due
  }
}

extension Array {
  mutating func takePrefix(while isDue: (Element) -> Bool) -> [Element] {
    let end = firstIndex { !isDue($0) } ?? endIndex
    defer { removeSubrange(..<end) }
    return Array(self[..<end])
  }
}

/// The beacons of a btsnoop capture.
public final class SightingTrack: PlaybackTrack {
  /// The chunk length in octets at limited speed: small, so that the counts closely match the delivered sightings.
  private static let shortChunk = 4096

  private var reader: CaptureReader

  /// Opens the capture, `-` for standard input; a FIFO may not have a writer yet.
  public init(path: String, pace: CapturePlayback.Pace) throws(CaptureFileError) {
    reader = try CaptureReader(path: path, waitsForWriter: false, chunk: pace == .unpaced ? CaptureReader.longChunk : Self.shortChunk)
    reader.keepsMotions = true
  }

  public var pipe: CInt? { reader.size == nil ? reader.descriptor : nil }
  public var period: ClosedRange<Instant>? { reader.period }
  public var counts: AdvertisementCounts? { reader.counts }
  public var roster: AdapterRoster { reader.roster }

  public func configure(_ settings: [AdapterSettings]) {
    reader.configure(settings)
  }

  public func takeTelemetry() -> [BeaconTelemetry] { reader.takeTelemetry() }

  public func read(into cues: inout PlaybackCues) throws(CaptureFileError) -> Bool {
    defer { cues.motions += reader.takeMotions() }
    return try reader.read(into: &cues.sightings)
  }
}

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
