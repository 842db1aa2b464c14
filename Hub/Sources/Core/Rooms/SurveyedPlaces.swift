import RealModule

/// The places of the rooms of a site, as an installer has surveyed them.
///
/// Each room has eight places: groups of moments of the walk at which the devices heard the tag alike. They differ by position, and by the
/// direction in which the installer's body attenuated the tag. A beacon is likely in a room if one of its places explains the levels.
struct SurveyedPlaces: Sendable {
  /// A device as it was heard in the places of a room.
  struct Listener: Sendable {
    var slot: Int32
    /// The levels of the survey in dBm, and those that beacons have corrected.
    let surveyed: SIMD8<Float>
    var means: SIMD8<Float>
    var precisions: SIMD8<Float>
    /// The logarithms of the variances, relative to that of a place that is known exactly.
    var spreads: SIMD8<Float>

    init(slot: Int32, means: SIMD8<Float>, precisions: SIMD8<Float>, spreads: SIMD8<Float>) {
      (self.slot, surveyed, self.means, self.precisions, self.spreads) = (slot, means, means, precisions, spreads)
    }

    /// Moves the level of a place, and those of the other places of the room by a part.
    ///
    /// The error of a walk is partly common to all places.
    mutating func learn(_ level: Float, place: Int, share: Float) {
      let (step, commonShare) = (share * (level - means[place]), SurveyedPlaces.commonShare)
      means += commonShare * step
      means[place] += (1 - commonShare) * step
      let limits = RoomLevels.means
      means.clamp(lowerBound: SIMD8(repeating: limits.lowerBound), upperBound: SIMD8(repeating: limits.upperBound))
    }
  }

  struct Room: Sendable {
    /// The devices that heard the tag.
    var listeners: [Listener] = []
    /// The index of the listener for each device of the site, or one of the values below.
    var indices: [Int16]
    /// The logarithms of the shares of the places in the walk.
    var shares: SIMD8<Float>
    /// The samples that beacons have taught each place.
    var counts = SIMD8<Float>(repeating: 0)
    /// Whether beacons have taught the room anything that is not stored.
    var hasNews = false

    static let deaf: Int16 = -1
    static let unknown: Int16 = -2
  }

  var rooms: [Room] = []
  /// Whether a door joins each pair of rooms, or may join them because the doors of neither are known.
  private var doors: [Bool] = []

  /// The variance in dB² of a level at a place: fades, bodies, and the error of the survey.
  static let variance: Float = 16
  /// The largest square of a deviation that counts, in variances.
  ///
  /// A device that hears through an open door, or not behind a body, must not decide alone.
  private static let mostPenalty: Float = 16
  /// The weight of a device that should hear the beacon and does not. A digest lists 20 beacons only.
  private static let silenceShare: Float = 1.5
  /// The penalty of a device about which the survey of a room says nothing.
  private static let unknownPenalty: Float = 1
  /// The samples of beacons that the survey outweighs, and the most samples that count.
  private static let surveyCount: Float = 60
  static let mostCount: Float = 200
  /// The part of a sample that the other places of the room learn.
  private static let commonShare: Float = 0.3
  /// The dB below the limit of a device at which its silence counts.
  private static let belowLimit: Float = 2

  /// Returns the places if each room has a survey; nil otherwise.
  ///
  /// Levels of surveyed rooms and learned ones cannot be compared.
  init?(_ surveys: [RoomSurvey], devices: [DeviceRecord], rooms names: [String]) {
    guard !names.isEmpty else { return nil }
    let byRoom = Dictionary(surveys.map { ($0.room, $0) }) { _, last in last }
    guard names.allSatisfy({ byRoom[$0] != nil }) else { return nil }
    for name in names {
      guard let survey = byRoom[name], let room = SurveyedRoomLevels(survey, devices: devices).room else { return nil }
      rooms.append(room)
    }
    doors = names.indices.flatMap { a in
      names.indices.map { b in
        guard let one = byRoom[names[a]], let other = byRoom[names[b]] else { return false }
        return one.doors.contains(names[b]) || other.doors.contains(names[a]) || (one.doors.isEmpty && other.doors.isEmpty)
      }
    }
  }

  func areJoined(_ a: Int32, _ b: Int32) -> Bool { doors[Int(a) * rooms.count + Int(b)] }

  /// The likelihood of a room.
  struct Likelihood {
    /// The logarithm of the likelihood, up to a constant.
    var logarithm: Float
    /// The place that explains the levels best, and by how much they exceed its levels on average.
    var place: Int
    var excess: Float
  }

  func likelihood(of room: Int32, _ readings: RoomReadings, power: Float, devices: [DeviceRecord]) -> Likelihood {
    let room = rooms[Int(room)]
    var sum = SIMD8<Float>.zero
    let most = SIMD8<Float>(repeating: Self.mostPenalty)
    var (deviations, count) = (SIMD8<Float>.zero, Float(0))
    for (slot, level) in readings.list {
      let index = room.indices[Int(slot)]
      if index >= 0 {
        let listener = room.listeners[Int(index)]
        let difference = level - power - listener.means
        sum += pointwiseMin(difference * difference * listener.precisions, most) + listener.spreads
        deviations += difference
        count += 1
      } else if index == Room.deaf {
        let difference = level - power - RoomLevels.unheard
        sum += Swift.min(difference * difference / Self.variance, Self.mostPenalty)
      } else {
        sum += Self.unknownPenalty
      }
    }
    for listener in room.listeners where !readings.contains(listener.slot) {
      let device = devices[Int(listener.slot)]
      let limit = Swift.max(readings.limit, device.weakest)
      let excess = pointwiseMax(listener.means + (power - limit), SIMD8(repeating: 0))
      guard excess.max() > 0, !device.isSilent(at: readings.time) else { continue }
      sum += Self.silenceShare * pointwiseMin(excess * excess * listener.precisions, most)
    }
    let logarithms = room.shares - sum / 2
    let best = logarithms.max()
    var total: Float = 0
    var place = 0
    for lane in 0..<8 {
      let logarithm = logarithms[lane]
      if logarithm == best { place = lane }
      if logarithm > best - 10 { total += .exp(logarithm - best) }
    }
    return Likelihood(logarithm: best + .log(total), place: place, excess: count > 0 ? deviations[place] / count : 0)
  }

  /// Takes the levels of a beacon whose room is clear.
  ///
  /// A walk has the fades of its minutes, which those of many beacons correct.
  mutating func learn(_ readings: RoomReadings, place: Int, of room: Int32, power: Float, devices: [DeviceRecord]) {
    let room = Int(room)
    let share = 1 / (rooms[room].counts[place] + 1 + Self.surveyCount)
    rooms[room].counts[place] = Swift.min(rooms[room].counts[place] + 1, Self.mostCount)
    rooms[room].hasNews = true
    for index in rooms[room].listeners.indices {
      let listener = rooms[room].listeners[index]
      if let level = readings.list.first(where: { $0.slot == listener.slot })?.level {
        rooms[room].listeners[index].learn(level - power, place: place, share: share)
        continue
      }
      let device = devices[Int(listener.slot)]
      // A level just below the limit: the device says no more than that.
      let most = Swift.max(readings.limit, device.weakest) - power - Self.belowLimit
      guard listener.means[place] > most, !device.isSilent(at: readings.time) else { continue }
      rooms[room].listeners[index].learn(most, place: place, share: share)
    }
  }
}
