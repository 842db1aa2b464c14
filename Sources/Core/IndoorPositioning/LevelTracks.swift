import Instants
import RealModule

/// The averaged RSSI of the transmitters heard within ten seconds.
struct LevelTracks: Sendable {
  private static let timeConstant = Span.seconds(2)

  private struct Track {
    var weight = 0.0, sum = 0.0
    var time: Instant
  }

  private var tracks: [Int: Track] = [:]

  /// Adds a sighting. The adapter's offset in dB is removed, so that levels of all adapters can be compared.
  mutating func hear(_ sighting: IndoorSighting, offset: Double) {
    var track = tracks[sighting.transmitter] ?? Track(time: sighting.time)
    let age = max(0, (sighting.time - track.time).seconds)
    let decay = Double.exp(-age / Self.timeConstant.seconds)
    track.weight = track.weight * decay + 1
    track.sum = track.sum * decay + sighting.rssi - offset
    track.time = max(track.time, sighting.time)
    tracks[sighting.transmitter] = track
  }

  /// Returns the loudest transmitters of the last three seconds.
  mutating func loudest(_ count: Int, at time: Instant) -> [(transmitter: Int, level: Double)] {
    tracks = tracks.filter { time - $0.value.time < IndoorEngine.longestSilence }
    let recent = tracks.filter { time - $0.value.time < .seconds(3) }
    let levels = recent.map { (transmitter: $0.key, level: $0.value.sum / $0.value.weight) }
    return Array(levels.sorted { $0.level == $1.level ? $0.transmitter < $1.transmitter : $0.level > $1.level }.prefix(count))
  }

  /// Returns the number of transmitters heard within a span.
  func heard(at time: Instant, within span: Span, where isCounted: (Int) -> Bool = { _ in true }) -> Int {
    tracks.count { time - $0.value.time < span && isCounted($0.key) }
  }

  func all(at time: Instant) -> [Int] { tracks.keys.sorted() }
}
