import Beacons
import FleetMessages
import Instants

/// Decides in which room of a site each beacon is, by the devices that hear it.
///
/// The filter knows at which levels all devices hear a beacon near each of them, and learns that from the beacons (`RoomLevels`). The room
/// whose levels explain the present ones best gains evidence, and enough of it moves the beacon; another floor requires more. A filter is a
/// value: the same digests give the same changes, and its octets continue it in another process. The cost of a sighting does not depend on
/// the number of beacons.
public struct BeaconRoomFilter: Sendable {
  /// The maximum number of devices of a site; the filter ignores further ones.
  public static let mostDevices = 256

  var site: RoomSite
  var beacons: [BeaconIdentity: BeaconRoom] = [:]
  /// The changes of beacons that were in a room when `evict` forgot them, until the next digest.
  var dropped: [RoomChange] = []
  /// The latest time of the site in µs, and the number of digests since that were much older.
  private var latest = Int64.min
  private var late = 0

  /// The number of consecutive late digests after which the filter assumes that the clock was set back.
  ///
  /// Before that, it assumes that a device sends its backlog.
  private static let mostLate = 256

  /// - Parameter surveys: The surveys of rooms, which decide if each room has one. Of several, the last one counts.
  public init(devices: [SiteDevice], surveys: [RoomSurvey] = [], settings: BeaconRoomFilterSettings = BeaconRoomFilterSettings()) {
    site = RoomSite(devices, surveys: surveys, settings: settings)
  }

  /// Forgets the beacons, whose rows may change, and keeps everything that was learned about the site.
  ///
  /// This way, a site has its first hour, in which the filter guesses the shifts of devices, only once.
  public mutating func forgetBeacons() {
    (beacons, dropped) = ([:], [])
  }

  /// The number of beacons that the filter knows.
  public var count: Int { beacons.count }

  /// Whether surveys of all rooms decide, and not learned levels.
  public var isSurveyed: Bool { site.places != nil }

  /// Returns the room of a beacon and the time since which it is there; nil if it is in none.
  public func room(of beacon: BeaconIdentity) -> (room: String, since: Instant)? {
    guard let state = beacons[beacon], let room = state.room else { return nil }
    return (site.rooms[Int(room)], Instant(microseconds: state.since))
  }

  /// Returns the level in dBm at which a device usually hears beacons near it; nil for an unknown device.
  public func usualLevel(of device: Int32) -> Double? {
    site.slots[device].map { site.usualLevel(of: $0) }
  }

  /// Takes a digest, which may be empty, and returns the changes that it causes.
  ///
  /// - Parameters:
  ///   - device: The key of the device. A device without a room is ignored.
  ///   - time: The end of the digest by a clock that all digests of the site share; the filter never compares devices' own clocks.
  ///     A digest that is older than the last of its device changes nothing.
  public mutating func take(_ sightings: [FleetSighting], from device: Int32, at time: Instant) -> [RoomChange] {
    guard let slot = site.slots[device], accepts(time.microseconds) else { return [] }
    let now = time.microseconds
    site.devices[Int(slot)].reports(at: now)
    site.devices[Int(slot)].lists(sightings)
    site.guess(at: now)
    var changes: [RoomChange] = []
    for sighting in sightings {
      if let change = take(sighting, slot: slot, at: now - Int64(sighting.age) * 1000) { changes.append(change) }
    }
    return takeDropped() + changes
  }

  private mutating func take(_ sighting: FleetSighting, slot: Int32, at time: Int64) -> RoomChange? {
    let beacon = sighting.beacon
    if beacons[beacon] == nil {
      if beacons.count >= site.settings.mostBeacons { evict() }
      beacons[beacon] = BeaconRoom(at: time)
    }
    guard let index = beacons.index(forKey: beacon) else { return nil }
    let former = beacons.values[index].room
    let since = former.map { _ in Instant(microseconds: beacons.values[index].since) }
    guard beacons.values[index].take(level: Float(sighting.level), slot: slot, at: time, in: site) else { return nil }
    site.devices[Int(slot)].loudest?.take(beacon, level: Float(sighting.level))
    let reason = beacons.values[index].decide(in: site)
    if reason == nil { site.learn(&beacons.values[index]) }
    guard let reason, let room = beacons.values[index].room else { return nil }
    return RoomChange(
      beacon: beacon, from: former.map { site.rooms[Int($0)] }, to: site.rooms[Int(room)],
      time: Instant(microseconds: beacons.values[index].latest), since: since, reason: reason)
  }

  /// Whether a digest is not far older than the others.
  ///
  /// A device that was offline sends its backlog, which does not show where beacons are now.
  private mutating func accepts(_ time: Int64) -> Bool {
    // Times beyond 280 millennia are not times, and differences of the others do not overflow.
    guard time.magnitude < 1 << 62 else { return false }
    guard latest == .min || latest - time <= site.memory else {
      late += 1
      guard late >= Self.mostLate else { return false }
      restart(at: time)
      return true
    }
    (latest, late) = (Swift.max(latest, time), 0)
    return true
  }

  /// Keeps the rooms and forgets the levels, because the clock was set back.
  private mutating func restart(at time: Int64) {
    (latest, late) = (time, 0)
    site.restart()
    for index in beacons.values.indices { beacons.values[index].restart(at: time) }
  }
}
