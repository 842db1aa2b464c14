import Beacons
import Instants

extension BeaconRoomFilter {
  /// Version 1 has no places, of which a beacon then has its present levels.
  private static let version: UInt8 = 2
  /// Times beyond these are damaged, and differences between times within them do not overflow.
  private static let times = -(Int64(1) << 62)...(Int64(1) << 62)
  /// The levels of sightings, with a margin.
  static let levels: ClosedRange<Float> = -150...50
  /// The longest age of a level in milliseconds: far beyond `memory`, which removes it at the next sighting.
  private static let oldest: Int64 = 0xFFFF_FFFF

  /// Returns the state of a beacon for the database; nil if the filter does not know the beacon. It has at most 145 octets.
  ///
  /// Rooms and receivers are written as keys of devices, so that a device may change its room, or vanish, between two runs.
  public func octets(of beacon: BeaconIdentity) -> [UInt8]? {
    guard let state = beacons[beacon] else { return nil }
    var writer = StateWriter()
    writer.append(Self.version)
    writer.append(state.latest)
    writer.append(state.since)
    write(room: state.room, to: &writer)
    write(room: state.candidate, to: &writer)
    writer.append(UInt32(clamping: (state.latest - state.candidateSince) / 1000))
    writer.append(hundredths: state.evidence)
    writer.append(UInt32(clamping: (state.latest - state.decided) / 1000))
    writer.append(UInt8(state.receivers.count))
    for receiver in state.receivers {
      writer.append(site.devices[Int(receiver.slot)].device.id)
      writer.append(hundredths: receiver.level)
      writer.append(UInt32(clamping: (state.latest - receiver.last) / 1000))
    }
    writer.append(hundredths: state.power)
    writer.append(state.samples)
    writer.append(UInt32(clamping: (state.latest - state.sampled) / 1000))
    for receiver in state.receivers { writer.append(hundredths: receiver.anchor) }
    writer.append(UInt32(clamping: (state.latest - state.moved) / 1000))
    return writer.octets
  }

  /// Writes the first device of a room, by which `restore` finds the room again.
  private func write(room: Int32?, to writer: inout StateWriter) {
    let device = room.flatMap { room in site.devices.first { $0.room == room } }
    writer.append(UInt8(device == nil ? 0 : 1))
    writer.append(device?.device.id ?? 0)
  }

  private func room(from reader: inout StateReader) throws(RoomStateError) -> Int32? {
    let isKnown: UInt8 = try reader.next(in: 0...1)
    let slot = site.slots[try reader.next(Int32.self)]
    return isKnown == 1 ? slot.map { site.devices[Int($0)].room } : nil
  }

  /// Continues with the state of a beacon from the database.
  ///
  /// Parts about devices that the site no longer has are left out. Throws if the octets are damaged; the filter is then unchanged.
  public mutating func restore(_ octets: [UInt8], of beacon: BeaconIdentity) throws(RoomStateError) {
    var reader = StateReader(octets)
    let version = try reader.next(UInt8.self)
    guard 1...Self.version ~= version else { throw .unknownVersion(version) }
    let latest = try reader.next(in: Self.times)
    var state = BeaconRoom(at: latest)
    state.since = try reader.next(in: Self.times)
    state.room = try room(from: &reader)
    state.candidate = try room(from: &reader)
    state.candidateSince = latest - Int64(try reader.next(UInt32.self)) * 1000
    state.evidence = try reader.hundredths(in: -400...400)
    state.decided = latest - Int64(try reader.next(UInt32.self)) * 1000
    let count = try reader.next(in: 0...UInt8(BeaconRoom.mostReceivers))
    var slots: [Int32?] = []
    for _ in 0..<count {
      let slot = site.slots[try reader.next(Int32.self)]
      let level = try reader.hundredths(in: Self.levels)
      let last = latest - Int64(try reader.next(UInt32.self)) * 1000
      slots.append(slot)
      guard let slot, !state.receivers.contains(where: { $0.slot == slot }) else { continue }
      state.receivers.append(BeaconRoom.Receiver(slot: slot, level: level, last: last, anchor: level))
    }
    state.power = try reader.hundredths(in: -12...12)
    state.samples = try reader.next(UInt8.self)
    state.sampled = latest - Int64(try reader.next(UInt32.self)) * 1000
    if version > 1 {
      for slot in slots {
        let anchor = try reader.hundredths(in: Self.levels)
        if let index = state.receivers.firstIndex(where: { $0.slot == slot }) { state.receivers[index].anchor = anchor }
      }
      state.moved = latest - Int64(try reader.next(UInt32.self)) * 1000
    }
    try reader.end()
    if beacons[beacon] == nil && beacons.count >= site.settings.mostBeacons { evict() }
    beacons[beacon] = state
  }
}
