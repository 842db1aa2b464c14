import BeaconAdvertising
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
  /// Reads the next piece, which may hold nothing, and returns false at the end.
  /// The cues of a throwing call are valid, and nothing more can be read.
  func read(into cues: inout PlaybackCues) throws(CaptureFileError) -> Bool
}

extension PlaybackTrack {
  public var counts: AdvertisementCounts? { nil }
  public var roster: AdapterRoster { AdapterRoster() }
  public var lines: LineStatistics? { nil }
  public func configure(_ settings: [AdapterSettings]) {}
}

/// The sightings and location reports to deliver, each in its order.
public struct PlaybackCues {
  public var sightings: [Sighting] = []
  public var reports: [WalkReport] = []

  var isEmpty: Bool { sightings.isEmpty && reports.isEmpty }
  var count: Int { sightings.count + reports.count }

  /// The time of the first cue; `.never` if there is none.
  var first: Instant { min(sightings.first?.time ?? .never, reports.first?.time ?? .never) }
  /// The time of the last cue; nil if there is none.
  var last: Instant? { [sightings.last?.time, reports.last?.time].compactMap(\.self).max() }

  /// Removes and returns the cues up to `time`.
  mutating func take(through time: Instant) -> PlaybackCues {
    var due = PlaybackCues()
    due.sightings = sightings.takePrefix { $0.time <= time }
    due.reports = reports.takePrefix { $0.time <= time }
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
