/// The levels at which each device hears beacons in each room, learned from the beacons themselves.
///
/// They contain the offset of every device, by its receiver, antenna and place, and the attenuation between rooms. At first a beacon counts
/// as in the room whose own device hears it loudest. A beacon whose room is clear then teaches the levels of all devices, in any room. This
/// is the classification EM algorithm (Celeux and Govaert, 1992), one sample at a time. A stay teaches a limited number of samples, so that
/// a beacon that lies still does not outweigh others.
struct RoomLevels: Sendable {
  /// The level of a device in a room.
  struct Level: Hashable, Sendable {
    var mean: Float
    var variance: Float
    var count: UInt16 = 0
  }

  /// The level in dBm of a device that hears nothing, just below the sensitivity of receivers.
  static let unheard: Float = -96
  static let variances: ClosedRange<Float> = 25...100
  static let means: ClosedRange<Float> = -128...20
  /// The weight of the first assumption, in samples.
  ///
  /// At most `mostCount` samples count, so that the levels follow a device that is moved.
  private static let firstCount: Float = 30
  private static let mostCount: UInt16 = 200
  /// The minimum number of samples after which the silence of a device counts.
  private static let sureCount: UInt16 = 30
  /// The maximum number of devices of one cell whose levels are stored.
  static let mostStored = 16

  let deviceCount: Int
  private(set) var levels: [Level]
  /// The devices that surely hear a beacon near each device.
  private(set) var audible: [[Int32]]

  /// Assumes the levels before any sample.
  ///
  /// Other devices of the room are assumed to hear a beacon 11 dB weaker than the device beside it, those of other rooms 14 dB weaker, and
  /// those of other floors hardly at all. Otherwise, beacons between two devices of a large room would be closer to the levels of a quiet
  /// room beside it, and would teach them.
  init(_ devices: [DeviceRecord]) {
    deviceCount = devices.count
    levels = []
    audible = Array(repeating: [], count: devices.count)
    for cell in devices.indices {
      for slot in devices.indices {
        let isOwn = cell == slot
        let isOtherFloor = devices[cell].device.floor.flatMap { floor in devices[slot].device.floor.map { $0 != floor } } ?? false
        let isSameRoom = devices[cell].room == devices[slot].room
        levels.append(Level(mean: isOwn ? -70 : isSameRoom ? -81 : isOtherFloor ? -92 : -84, variance: 49))
      }
    }
  }

  subscript(cell: Int32, slot: Int32) -> Level {
    get { levels[Int(cell) * deviceCount + Int(slot)] }
    set { levels[Int(cell) * deviceCount + Int(slot)] = newValue }
  }

  /// Notes the loudest devices in a cell, at most as many as are stored, of which enough samples are known.
  mutating func listen(cell: Int32) {
    let known = (0..<Int32(deviceCount)).filter { self[cell, $0].count >= Self.sureCount && self[cell, $0].mean > RoomReadings.sensitivity }
    audible[Int(cell)] = Array(known.sorted { (self[cell, $0].mean, $1) > (self[cell, $1].mean, $0) }.prefix(Self.mostStored))
  }

  /// Takes the level at which a device hears a beacon in a room.
  mutating func learn(_ level: Float, cell: Int32, slot: Int32) {
    var known = self[cell, slot]
    let share = 1 / (Float(known.count) + 1 + Self.firstCount)
    let difference = level - known.mean
    known.mean = Swift.max(Self.means.lowerBound, Swift.min(Self.means.upperBound, known.mean + share * difference))
    let variance = known.variance + share * (difference * difference - known.variance)
    known.variance = Swift.max(Self.variances.lowerBound, Swift.min(Self.variances.upperBound, variance))
    known.count = Swift.min(known.count + 1, Self.mostCount)
    self[cell, slot] = known
  }
}
