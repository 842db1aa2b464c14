import BeaconAdvertising
import Instants
import Ranging

/// Every beacon that is heard while somebody looks around, whoever it belongs to.
///
/// It is kept apart from what the engine keeps, so that a crowd of strange beacons pushes nobody out of a region. Bounded: of more than
/// `capacity` beacons those that are gone make room, and while none is, newcomers are only counted.
public struct BeaconScan: Sendable {
  public static let capacity = 1024

  public let start: Instant
  private let settings: RangingSettings
  private var tracks: [BeaconIdentity: BeaconTrack] = [:]
  private var ticker: RangingTicker
  /// Before it nobody is gone, so nobody need be looked for.
  private var fullUntil: Instant
  private var forgotten = 0
  private var unlisted = 0

  public init(settings: RangingSettings = RangingSettings(), at time: Instant) {
    self.settings = settings
    start = time
    fullUntil = time
    ticker = RangingTicker(after: time)
  }

  /// `now` never runs backward, and the sighting counts as heard then.
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

  // MARK: - What comes out

  /// When the next snapshot is due: at a whole second.
  var nextTick: Instant { ticker.next }

  /// The newest snapshot that is due by `time`, if one is: who looks on misses nothing by not seeing those before it.
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
