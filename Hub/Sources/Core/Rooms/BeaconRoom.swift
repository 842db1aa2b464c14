import Instants

/// The room of one beacon, and the devices that hear it.
struct BeaconRoom: Sendable {
  /// One device that hears the beacon.
  struct Receiver: Hashable, Sendable {
    /// The index of the device in the filter.
    var slot: Int32
    /// The level in dBm, weighted by time.
    var level: Float
    /// The time of the last packet in µs.
    var last: Int64
    /// The level at which the device hears the beacon in its present place, in dBm.
    var anchor: Float
  }

  /// The maximum number of devices that are compared for a beacon in a surveyed site, and in other sites.
  ///
  /// A beacon in a room is heard by its devices and those of the rooms around it. The levels of weak devices help if they are known well.
  static let mostReceivers = 12
  static let mostReceiversUnsurveyed = 8
  /// The maximum number of samples that a stay teaches, and the time between two of them in µs.
  static let mostSamples: UInt8 = 24
  static let sampleTime: Int64 = 3_000_000

  var receivers: [Receiver] = []
  /// The index of the room; nil at first.
  var room: Int32?
  /// The time since which the beacon is in its room, in µs.
  var since: Int64
  /// The room that leads, and the time since which it leads.
  var candidate: Int32?
  var candidateSince: Int64 = 0
  /// The evidence for the candidate in seconds.
  var evidence: Float = 0
  /// The time of the last packet and of the last decision in µs.
  var latest: Int64
  var decided: Int64
  /// The dB by which the beacon sends louder than others.
  var power: Float = 0
  /// The samples that the present stay has taught, and the time of the last.
  var samples: UInt8 = 0
  var sampled: Int64
  /// The last time at which another room was nearly as likely, in µs.
  var unclear = Int64.min
  /// The last time at which the levels differed from those of the place, in µs.
  var moved: Int64

  init(at time: Int64) {
    (since, latest, decided, sampled, moved) = (time, time, time, time, time)
  }

  /// Takes a reading; false if it is older than the last of this device, and therefore ignored.
  mutating func take(level: Float, slot: Int32, at time: Int64, in site: borrowing RoomSite) -> Bool {
    if let index = receivers.firstIndex(where: { $0.slot == slot }) {
      let gap = time - receivers[index].last
      guard gap > 0 else { return false }
      let seconds = Float(gap) / 1e6
      let share = gap > site.memory ? 1 : seconds / (seconds + site.timeConstant)
      receivers[index].level += share * (level - receivers[index].level)
      receivers[index].last = time
    } else {
      let receiver = Receiver(slot: slot, level: level, last: time, anchor: level)
      if receivers.count < site.mostReceivers {
        receivers.append(receiver)
      } else {
        // The weakest device gives way, whether it is weak or old.
        let now = Swift.max(latest, time)
        guard let weakest = receivers.indices.min(by: { site.level(receivers[$0], at: now) < site.level(receivers[$1], at: now) }),
          site.level(receivers[weakest], at: now) < level
        else { return false }
        receivers[weakest] = receiver
      }
    }
    latest = Swift.max(latest, time)
    if receivers.contains(where: { $0.last < latest - site.memory }) { receivers.removeAll { $0.last < latest - site.memory } }
    return true
  }

  /// Keeps the room only.
  mutating func restart(at time: Int64) {
    let (room, power) = (room, power)
    self = BeaconRoom(at: time)
    (self.room, self.power) = (room, power)
  }
}
