import BeaconAdvertising
import Beacons
import Instants
import Ranging

/// Every beacon that is heard during a scan, whether or not a region or a client selects it.
///
/// The scan has its own tracks, so that a crowd of strange beacons cannot push a beacon of a region out of the engine. At `capacity`
/// beacons, those that are gone make room. If none is gone, new beacons are only counted.
public struct BeaconScan: Sendable {
  public static let capacity = 1024

  public let start: Instant
  private let settings: RangingSettings
  private var tracks: [BeaconIdentity: BeaconTrack] = [:]
  private var ticker: RangingTicker
  /// A time before which no beacon is gone, so that `makeRoom` does not search for one.
  private var fullUntil: Instant
  private var forgotten = 0
  private var unlisted = 0

  public init(settings: RangingSettings = RangingSettings(), at time: Instant) {
    self.settings = settings
    start = time
    fullUntil = time
    ticker = RangingTicker(after: time)
  }

  /// Applies a sighting, which counts as heard at `now`; `now` must not run backward.
  public mutating func hear(_ sighting: Sighting, at now: Instant) {
    var sighting = sighting
    sighting.time = now
    if tracks[sighting.beacon] == nil {
      makeRoom(at: now)
      guard tracks.count < Self.capacity else {
        unlisted += 1
        return
      }
    }
    tracks[sighting.beacon, default: BeaconTrack(sighting.beacon, settings: settings, at: now)].hear(sighting)
  }

  private mutating func makeRoom(at time: Instant) {
    guard tracks.count >= Self.capacity, time >= fullUntil else { return }
    tracks = tracks.filter { time - $0.value.lastSeen < RangedBeacon.goneAfter }
    forgotten += Self.capacity - tracks.count
    if let oldest = tracks.values.map(\.lastSeen).min() { fullUntil = oldest + RangedBeacon.goneAfter }
  }

  // MARK: - Output

  /// The time of the next snapshot, a whole second.
  var nextTick: Instant { ticker.next }

  /// Returns the newest snapshot due by `time`, or `nil` if none is due.
  /// Earlier snapshots are skipped, because the newest one replaces them.
  mutating func snapshot(dueBy time: Instant) -> ScanSnapshot? {
    guard ticker.next <= time else { return nil }
    let tick = RangingTicker(after: time + .seconds(-1)).next
    ticker = RangingTicker(after: time)
    return snapshot(at: tick)
  }

  public func snapshot(at time: Instant) -> ScanSnapshot {
    let groups = Dictionary(grouping: tracks.values, by: \.beacon.uuid)
    let uuids = groups.map { ScannedUUID($0.key, $0.value.map { ScannedBeacon($0, at: time) }, at: time) }
      .sorted { ScannedBeacon.precedes($0.strongest, $1.strongest, at: time) }
    return ScanSnapshot(
      time: time, start: start, uuids: Array(uuids.prefix(ScanSnapshot.mostUUIDs)), uuidCount: uuids.count, beaconCount: tracks.count,
      forgotten: forgotten, unlisted: unlisted)
  }
}
