import Beacons
import Instants

extension BeaconRoomFilter {
  /// Forgets the beacons that no device hears any more, and returns the changes of those that were in a room.
  ///
  /// A beacon leaves after `departure`, in which the devices of its room must have reported without it: a room without a working device
  /// says nothing. After ten times as long it leaves anyway. Call once a second or so; the cost grows with the number of beacons.
  public mutating func expire(at time: Instant) -> [RoomChange] {
    let limit = site.settings.departure.microseconds
    var reported = [Int64](repeating: .min, count: site.rooms.count)
    for device in site.devices { reported[Int(device.room)] = Swift.max(reported[Int(device.room)], device.heard ?? .min) }
    var changes: [RoomChange] = []
    for (beacon, state) in beacons {
      let silence = (time - Instant(microseconds: state.latest)).microseconds
      guard silence >= limit else { continue }
      if let room = state.room {
        guard reported[Int(room)] >= state.latest + limit || silence >= 10 * limit else { continue }
        changes.append(
          RoomChange(
            beacon: beacon, from: site.rooms[Int(room)], to: nil, time: time, since: Instant(microseconds: state.since),
            reason: .silent(Span(microseconds: silence))))
      }
      beacons[beacon] = nil
    }
    return takeDropped() + changes.sorted { $0.beacon < $1.beacon }
  }

  /// Returns the changes of the beacons that `evict` forgot, once.
  mutating func takeDropped() -> [RoomChange] {
    defer { dropped = [] }
    return dropped
  }

  /// Forgets a sixteenth of the beacons: those without a room first, then those silent for longest.
  mutating func evict() {
    let order = beacons.sorted { a, b in
      (a.value.room == nil) != (b.value.room == nil) ? a.value.room == nil : (a.value.latest, a.key) < (b.value.latest, b.key)
    }
    for (beacon, state) in order.prefix(Swift.max(1, site.settings.mostBeacons / 16)) {
      beacons[beacon] = nil
      guard let room = state.room else { continue }
      dropped.append(
        RoomChange(
          beacon: beacon, from: site.rooms[Int(room)], to: nil, time: Instant(microseconds: state.latest),
          since: Instant(microseconds: state.since), reason: .dropped))
    }
  }
}
