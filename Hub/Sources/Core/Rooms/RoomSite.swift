import Instants

/// The devices and rooms of a site, with everything that was learned about them.
struct RoomSite: Sendable {
  let settings: BeaconRoomFilterSettings
  /// The settings in the types of the computation.
  let memory: Int64
  let timeConstant: Float
  var devices: [DeviceRecord] = []
  var rooms: [String] = []
  private var floors: [Int?] = []
  var slots: [Int32: Int32] = [:]
  private var cells: [[Int32]] = []
  var levels: RoomLevels
  /// The places of all rooms if an installer has surveyed each. They decide instead of the levels, which continue to learn.
  var places: SurveyedPlaces?
  /// The maximum number of devices that compete for a beacon.
  var mostReceivers: Int { places == nil ? BeaconRoom.mostReceiversUnsurveyed : BeaconRoom.mostReceivers }
  /// Whether the levels contain the shifts of the devices, so that they can teach and be stored.
  var isSettled: Bool { settlesAt == .min }
  private var guessedAt = Self.never
  /// The time at which the guess of shifts ends: `max` before the first digest, and `min` afterwards.
  private var settlesAt = Int64.max

  /// The time that the guess takes from the next first digest on.
  private var guessTime = Self.longestGuess

  private static let mostPenalty: Float = 12
  private static let never = Int64.min / 2
  static let longestGuess: Int64 = 3_600_000_000

  init(_ list: [SiteDevice], surveys: [RoomSurvey], settings: BeaconRoomFilterSettings) {
    (self.settings, memory, timeConstant) = (settings, settings.memory.microseconds, Float(settings.timeConstant.seconds))
    var indices: [String: Int32] = [:]
    for device in list.prefix(BeaconRoomFilter.mostDevices) where slots[device.id] == nil {
      if indices[device.room] == nil {
        indices[device.room] = Int32(rooms.count)
        rooms.append(device.room)
        floors.append(device.floor)
      }
      slots[device.id] = Int32(devices.count)
      devices.append(DeviceRecord(device: device, room: indices[device.room] ?? 0))
    }
    levels = RoomLevels(devices)
    places = SurveyedPlaces(surveys, devices: devices, rooms: rooms)
    cells = rooms.indices.map { room in devices.indices.filter { devices[$0].room == Int32(room) }.map { Int32($0) } }
  }

  /// Returns the level of a receiver, which fades when its device reports without the beacon.
  ///
  /// It fades only while the device continues to report: a device that reports no beacon at all has not lost this one.
  func level(_ receiver: BeaconRoom.Receiver, at time: Int64) -> Float {
    let device = devices[Int(receiver.slot)]
    let silence = Float(Swift.min(time, device.heard ?? time) - receiver.last) / 1e6
    guard silence > device.grace else { return receiver.level }
    return Swift.max(RoomLevels.unheard, receiver.level - Float(settings.fade) * (silence - device.grace))
  }

  /// Returns the figures of a reading for an explanation.
  func reading(_ reading: (slot: Int32, level: Float)) -> RoomChange.Reading {
    RoomChange.Reading(device: devices[Int(reading.slot)].device.id, level: Double(reading.level), usualLevel: usualLevel(of: reading.slot))
  }

  /// Returns the level at which a device hears beacons near it.
  func usualLevel(of slot: Int32) -> Double { Double(levels[slot, slot].mean + devices[Int(slot)].shift) }

  func areOnDifferentFloors(_ a: Int32, _ b: Int32) -> Bool {
    guard let floor = floors[Int(a)], let other = floors[Int(b)] else { return false }
    return floor != other
  }

  /// Guesses the shifts of the devices by their loudest beacons, and ends the guess an hour after the first digest.
  mutating func guess(at time: Int64) {
    guard guessedAt < time - 30_000_000, settlesAt != .min else { return }
    guessedAt = time
    settlesAt = Swift.min(settlesAt, time + guessTime)
    let known = devices.compactMap { $0.loudest?.level }
    let mean = known.reduce(0, +) / Float(Swift.max(1, known.count))
    for slot in devices.indices {
      if let level = devices[slot].loudest?.level { devices[slot].shift = Swift.max(-12, Swift.min(12, level - mean)) }
    }
    guard time >= settlesAt else { return }
    for slot in devices.indices {
      for cell in devices.indices { levels[Int32(cell), Int32(slot)].mean += devices[slot].shift }
      (devices[slot].shift, devices[slot].loudest) = (0, nil)
    }
    settlesAt = .min
  }

  /// Continues with levels from the database, which contain the shifts.
  mutating func settle(_ levels: RoomLevels) {
    self.levels = levels
    for cell in devices.indices { self.levels.listen(cell: Int32(cell)) }
    settlesAt = .min
    for slot in devices.indices { (devices[slot].shift, devices[slot].loudest) = (0, nil) }
  }

  /// The time in µs that the guess still takes; nil before the first digest and after the guess.
  var guessTimeLeft: Int64? {
    isSettled || guessedAt == Self.never ? nil : Swift.max(0, Swift.min(guessTime, settlesAt - guessedAt))
  }

  /// Continues a guess from the database. A device that took no part in it begins the hour again for all of them.
  mutating func resume(guessTime: Int64, _ loudest: [Int32: LoudestBeacons]) {
    guard !isSettled else { return }
    for slot in devices.indices { devices[slot].loudest = loudest[Int32(slot)] ?? LoudestBeacons() }
    self.guessTime = loudest.count == devices.count ? guessTime : Self.longestGuess
    (guessedAt, settlesAt) = (Self.never, .max)
  }

  /// Forgets the times of the site after the clock was set back.
  mutating func restart() {
    guessedAt = Self.never
    for slot in devices.indices { devices[slot].heard = nil }
  }

  /// Learns the levels at which all devices hear a beacon whose room is clear.
  mutating func learn(_ beacon: inout BeaconRoom) {
    guard let room = beacon.room, beacon.isDue(at: beacon.latest) else { return }
    if settlesAt > beacon.latest { return }
    learn(&beacon, in: room)
  }

  private mutating func learn(_ beacon: inout BeaconRoom, in room: Int32) {
    let readings = beacon.readings(in: self)
    let cell = cell(of: room, readings, power: beacon.power).cell
    var (sum, count): (Float, Float) = (0, 0)
    for slot in devices.indices where !devices[slot].isSilent(at: beacon.latest) {
      let level = readings.list.first { $0.slot == Int32(slot) }?.level
      if let level {
        sum += level - levels[cell, Int32(slot)].mean - beacon.power
        count += 1
      }
      levels.learn(level.map { $0 - beacon.power } ?? RoomLevels.unheard, cell: cell, slot: Int32(slot))
    }
    levels.listen(cell: cell)
    let surveyed = places?.likelihood(of: room, readings, power: beacon.power, devices: devices)
    if let surveyed { places?.learn(readings, place: surveyed.place, of: room, power: beacon.power, devices: devices) }
    // Shares of a twentieth, because one stay near a wall must not pass for a weak beacon.
    guard count > 0 else { return }
    let excess = surveyed?.excess ?? sum / count
    beacon.power = Swift.max(-12, Swift.min(12, beacon.power + 0.05 * (excess - 0.05 * beacon.power)))
  }

  /// Returns the logarithm of the likelihood of a room, up to a constant.
  func likelihood(ofRoom room: Int32, _ readings: RoomReadings, power: Float) -> Float {
    places?.likelihood(of: room, readings, power: power, devices: devices).logarithm ?? cell(of: room, readings, power: power).likelihood
  }

  /// Returns the additional lead that a room requires because no door joins it with the present one.
  func doorLead(from present: Int32?, to room: Int32) -> Float {
    guard let places, let present, !places.areJoined(present, room) else { return 0 }
    return Float(settings.doorLead)
  }

  /// Returns the device whose surroundings in a room explain the readings best, and the logarithm of their likelihood.
  func cell(of room: Int32, _ readings: RoomReadings, power: Float) -> (cell: Int32, likelihood: Float) {
    var best: (cell: Int32, likelihood: Float) = (0, -.infinity)
    for reading in readings.list where devices[Int(reading.slot)].room == room {
      let likelihood = likelihood(of: reading.slot, readings, power: power)
      if likelihood > best.likelihood { best = (reading.slot, likelihood) }
    }
    guard best.likelihood == -.infinity else { return best }
    // No device of the room hears the beacon, and those of others do.
    for cell in cells[Int(room)] {
      let likelihood = likelihood(of: cell, readings, power: power)
      if likelihood > best.likelihood { best = (cell, likelihood) }
    }
    return best
  }

  /// Returns the logarithm of the likelihood of a place near a device, up to a constant.
  func likelihood(of cell: Int32, _ readings: RoomReadings, power: Float) -> Float {
    var sum: Float = 0
    for (slot, level) in readings.list {
      let known = levels[cell, slot]
      let difference = level - known.mean - devices[Int(slot)].shift - power
      // A single device that hears through an open door, or not behind a body, must not decide.
      sum -= Swift.min(difference * difference / known.variance, Self.mostPenalty)
    }
    return (sum - silence(of: cell, readings, power: power)) / 2
  }

  /// Returns the penalty for the devices that should hear the beacon near `cell`, and do not.
  private func silence(of cell: Int32, _ readings: RoomReadings, power: Float) -> Float {
    var sum: Float = 0
    for slot in levels.audible[Int(cell)] where !readings.contains(slot) {
      let (known, device) = (levels[cell, slot], devices[Int(slot)])
      let difference = known.mean + device.shift + power - Swift.max(readings.limit, device.weakest)
      guard difference > 0, !device.isSilent(at: readings.time) else { continue }
      sum += Swift.min(difference * difference / known.variance, Self.mostPenalty)
    }
    return Float(settings.silenceShare) * sum
  }
}
