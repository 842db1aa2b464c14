import BeaconAdvertising
import Instants
import Records
import Walks

/// What a playback tells of, read from its beginning to its end, piece by piece: beacons, a walk, or a simulated venue with both.
public protocol PlaybackTrack: AnyObject {
  /// Of a pipe or a device, which may have to be waited for; nil for what can be read at any time.
  var pipe: CInt? { get }
  /// From the first record to the last so far; nil before the first.
  var period: ClosedRange<Instant>? { get }
  /// What became of the advertisements in it; nil for a track without any.
  var counts: AdvertisementCounts? { get }
  /// The adapters that heard them.
  var roster: AdapterRoster { get }
  /// What became of the lines of a walk; nil for a track without lines.
  var lines: Record? { get }

  /// Says which adapters count and how each hears, for what is read from now on.
  func configure(_ settings: [AdapterSettings])
  /// Takes the next piece, which may hold nothing; false at the end. What a throwing call took counts, and nothing more can be read.
  func read(into cues: inout PlaybackCues) throws(CaptureFileError) -> Bool
}

extension PlaybackTrack {
  public var counts: AdvertisementCounts? { nil }
  public var roster: AdapterRoster { AdapterRoster() }
  public var lines: Record? { nil }
  public func configure(_ settings: [AdapterSettings]) {}
}

/// What is to be told, each in its order.
public struct PlaybackCues {
  public var sightings: [Sighting] = []
  public var reports: [WalkReport] = []

  var isEmpty: Bool { sightings.isEmpty && reports.isEmpty }
  var count: Int { sightings.count + reports.count }

  /// Of the first; `.never` when there is none.
  var first: Instant { min(sightings.first?.time ?? .never, reports.first?.time ?? .never) }
  /// Of the last; nil when there is none.
  var last: Instant? { [sightings.last?.time, reports.last?.time].compactMap(\.self).max() }

  /// Takes what comes before anything later than `time`.
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
