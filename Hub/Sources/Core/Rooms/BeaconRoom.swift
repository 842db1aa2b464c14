import Instants

/// The room of one beacon, and the devices that compete for it.
struct BeaconRoom: Sendable {
  /// One device that hears the beacon.
  struct Rival: Hashable, Sendable {
    /// The index of the device in the filter.
    var slot: Int32
    /// The level in dBm, weighted by time.
    var level: Float
    /// The time of the last packet in µs.
    var last: Int64
    /// The mean level in the present stay, and the seconds that it weighs.
    var stayLevel: Float = 0
    var stayWeight: Float = 0
  }

  /// The last change, until the levels of the new stay have taught an offset.
  struct Lesson: Hashable, Sendable {
    var former: Int32
    var present: Int32
    /// The level of the former device minus that of the present one, in the former room.
    var difference: Float
  }

  /// The most devices that compete: a beacon in a room is heard by its devices and those of the rooms around it.
  static let mostRivals = 8

  var rivals: [Rival] = []
  /// The index of the room; nil at first.
  var room: Int32?
  /// The time since which the beacon is in its room, in µs.
  var since: Int64
  /// The room that leads, and since when.
  var challenger: Int32?
  var challengerSince: Int64 = 0
  /// The evidence for the challenger in dB·s.
  var evidence: Float = 0
  /// The time of the last packet and of the last decision in µs.
  var latest: Int64
  var decided: Int64
  var lesson: Lesson?

  init(at time: Int64) {
    (since, latest, decided) = (time, time, time)
  }

  /// Takes a reading; false if it is older than the last of this device, and therefore ignored.
  mutating func take(level: Float, slot: Int32, at time: Int64, settings: RoomFilterSettings, devices: [DeviceRecord]) -> Bool {
    let memory = settings.memory.microseconds
    if let index = rivals.firstIndex(where: { $0.slot == slot }) {
      let gap = time - rivals[index].last
      guard gap > 0 else { return false }
      let seconds = Float(gap) / 1e6
      if gap > memory {
        rivals[index].level = level
      } else {
        rivals[index].level += seconds / (seconds + Float(settings.timeConstant.seconds)) * (level - rivals[index].level)
      }
      let weight = Swift.min(seconds, 10)
      rivals[index].stayWeight += weight
      rivals[index].stayLevel += weight / rivals[index].stayWeight * (level - rivals[index].stayLevel)
      rivals[index].last = time
    } else {
      let rival = Rival(slot: slot, level: level, last: time, stayLevel: level, stayWeight: 1)
      if rivals.count < Self.mostRivals {
        rivals.append(rival)
      } else {
        // The weakest device gives way, whether it is weak or old.
        func score(_ rival: Rival) -> Float { rival.score(at: Swift.max(latest, time), settings: settings, devices: devices) }
        guard let weakest = rivals.indices.min(by: { score(rivals[$0]) < score(rivals[$1]) }), score(rivals[weakest]) < score(rival) else {
          return false
        }
        rivals[weakest] = rival
      }
    }
    latest = Swift.max(latest, time)
    return true
  }

  /// Forgets the devices that have not heard the beacon for long.
  mutating func forget(before time: Int64) {
    if rivals.contains(where: { $0.last < time }) { rivals.removeAll { $0.last < time } }
  }
}

extension BeaconRoom.Rival {
  /// The level after the device's offset, which fades when the device reports without the beacon.
  ///
  /// It fades only by the time for which the device went on reporting: a device that is silent for all beacons has lost none.
  func score(at time: Int64, settings: RoomFilterSettings, devices: [DeviceRecord]) -> Float {
    let device = devices[Int(slot)]
    let silence = Float(Swift.min(time, device.heard ?? time) - last) / 1e6
    return level - device.offset.value - Float(settings.fade) * Swift.max(0, silence - device.grace)
  }
}

extension BeaconRoom {
  /// Takes a reading, decides, and learns.
  mutating func advance(
    level: Float, slot: Int32, at time: Int64, settings: RoomFilterSettings, devices: [DeviceRecord]
  ) -> (reason: RoomChange.Reason?, lesson: (former: Int32, present: Int32, difference: Float)?) {
    guard take(level: level, slot: slot, at: time, settings: settings, devices: devices) else { return (nil, nil) }
    forget(before: latest - settings.memory.microseconds)
    let lesson = lesson == nil ? nil : learn()
    return (decide(settings: settings, devices: devices), lesson)
  }

  /// Keeps the room only.
  mutating func restart(at time: Int64) {
    let room = room
    self = BeaconRoom(at: time)
    self.room = room
  }
}
