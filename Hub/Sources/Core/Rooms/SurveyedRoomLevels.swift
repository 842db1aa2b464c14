import RealModule

/// The levels of a walk through a room, second by second, and the places that they form.
///
/// Devices report every 1 to 10 s, so a moment has levels of some devices only, with the fades of single packets. Moments that are alike
/// for the devices that they share are averaged, which fills in the others (non-local means: Buades et al., 2005). Then k-means forms eight
/// places.
struct SurveyedRoomLevels {
  /// The places; nil if the walk has too few moments.
  private(set) var room: SurveyedPlaces.Room?

  private let slots: [Int32]
  private var levels: [[Float]] = []
  /// The weight of each level: 1 for one packet at this moment.
  private var weights: [[Float]] = []
  private let usual: [Float]

  /// The deviation in seconds of the weight of a level around its moment.
  private static let span: Float = 1.5
  /// The mean square in dB² by which levels of one place differ, by fades.
  private static let fades: Float = 12
  /// The weight of the mean of the room.
  private static let usualWeight: Float = 0.06
  /// The weight in a comparison of devices that hardly hear the tag.
  private static let weakWeight: Float = 0.1
  private static let weakLevel: Float = -90
  /// The maximum number of devices of a room whose levels differ by place: those that hear the tag best.
  private static let mostListeners = 24
  private static let fewestMoments = 8
  private static let rounds = 5

  init(_ survey: RoomSurvey, devices: [DeviceRecord]) {
    var slotOf: [Int32: Int32] = [:]
    for slot in devices.indices { slotOf[devices[slot].device.id] = Int32(slot) }
    // The samples of a device that has moved to another room say nothing about this site.
    let valid = survey.listeners.compactMap { listener in
      slotOf[listener.device].flatMap { devices[Int($0)].device.room == listener.room ? (slot: $0, listener: listener) : nil }
    }
    let hearing = valid.filter(\.listener.isHearing).map { slot, listener in
      (slot: slot, samples: listener.samples, mean: listener.mean)
    }.sorted { ($0.mean, $1.slot) > ($1.mean, $0.slot) }.prefix(Self.mostListeners)
    slots = hearing.map(\.slot)
    usual = hearing.map(\.mean)
    let seconds = Swift.max(0, Swift.min(survey.seconds, RoomSurvey.longest) - RoomSurvey.settlingTime)
    // A longer walk has longer moments, so that the cost of comparisons is limited.
    let step = Float(Swift.max(1, (seconds + 239) / 240))
    let moments = Int(Float(seconds) / step)
    guard moments >= Self.fewestMoments, !slots.isEmpty else { return }
    levels = Array(repeating: Array(repeating: 0, count: slots.count), count: moments)
    weights = levels
    for (device, listener) in hearing.enumerated() {
      for sample in listener.samples {
        let place = (Float(sample.time) / 10 - Float(RoomSurvey.settlingTime)) / step
        let reach = 4 * Self.span / step
        let (first, last) = (Swift.max(0, Int(place - reach)), Swift.max(0, Swift.min(moments - 1, Int(place + reach))))
        guard first <= last else { continue }
        for moment in first...last {
          let distance = (Float(moment) - place) * step / Self.span
          let weight = Float.exp(-distance * distance / 2)
          levels[moment][device] += weight * sample.effectiveLevel
          weights[moment][device] += weight
        }
      }
      for moment in 0..<moments where weights[moment][device] > 0 { levels[moment][device] /= weights[moment][device] }
    }
    var indices = [Int16](repeating: SurveyedPlaces.Room.unknown, count: devices.count)
    for listener in valid { indices[Int(listener.slot)] = SurveyedPlaces.Room.deaf }
    for (index, slot) in slots.enumerated() { indices[Int(slot)] = Int16(index) }
    room = places(of: smoothed(), indices)
  }

  /// Returns the levels of all devices at each moment.
  private func smoothed() -> [[Float]] {
    levels.indices.map { moment in
      var sums = usual.map { $0 * Self.usualWeight }
      var counts = [Float](repeating: Self.usualWeight, count: slots.count)
      for other in levels.indices {
        var (square, total) = (Float(0), Float(0))
        for device in slots.indices {
          let shared = Swift.min(1, weights[moment][device], weights[other][device])
          guard shared >= 0.05 else { continue }
          let (a, b) = (levels[moment][device], levels[other][device])
          let weight = Swift.max(a, b) > Self.weakLevel ? shared : shared * Self.weakWeight
          square += weight * (a - b) * (a - b)
          total += weight
        }
        let likeness = moment == other ? 1 : Float.exp(-(total > 0 ? square / total : 4 * Self.fades) / (2 * Self.fades))
        guard likeness > 0.001 else { continue }
        for device in slots.indices {
          let weight = likeness * Swift.min(1, weights[other][device])
          sums[device] += weight * levels[other][device]
          counts[device] += weight
        }
      }
      return slots.indices.map { sums[$0] / counts[$0] }
    }
  }

  /// Forms eight places: first the moments that differ most, then their groups (Lloyd, 1982).
  private func places(of moments: [[Float]], _ indices: [Int16]) -> SurveyedPlaces.Room {
    var centres = [moments[0]]
    var nearest = [Float](repeating: .infinity, count: moments.count)
    while centres.count < 8 {
      for moment in moments.indices {
        nearest[moment] = Swift.min(nearest[moment], Self.distance(moments[moment], centres[centres.count - 1]))
      }
      centres.append(moments[nearest.indices.max { nearest[$0] < nearest[$1] } ?? 0])
    }
    var groups = [Int](repeating: 0, count: moments.count)
    for round in 0...Self.rounds {
      for moment in moments.indices {
        groups[moment] =
          centres.indices.min { Self.distance(moments[moment], centres[$0]) < Self.distance(moments[moment], centres[$1]) } ?? 0
      }
      guard round < Self.rounds else { break }
      for centre in centres.indices {
        let members = moments.indices.filter { groups[$0] == centre }
        guard !members.isEmpty else { continue }
        for device in slots.indices { centres[centre][device] = members.reduce(0) { $0 + moments[$1][device] } / Float(members.count) }
      }
    }
    var shares = SIMD8<Float>(repeating: -40)
    var (means, variances) = ([SIMD8<Float>](repeating: .zero, count: slots.count), [SIMD8<Float>](repeating: .zero, count: slots.count))
    for centre in centres.indices {
      let members = moments.indices.filter { groups[$0] == centre }
      if !members.isEmpty { shares[centre] = .log(Float(members.count) / Float(moments.count)) }
      for device in slots.indices {
        let mean = centres[centre][device]
        let square = members.reduce(Float(0)) { $0 + (moments[$1][device] - mean) * (moments[$1][device] - mean) }
        means[device][centre] = mean
        variances[device][centre] = SurveyedPlaces.variance + square / Float(Swift.max(1, members.count))
      }
    }
    let listeners = slots.indices.map { device in
      var spreads = SIMD8<Float>.zero
      for centre in centres.indices { spreads[centre] = .log(variances[device][centre] / SurveyedPlaces.variance) }
      return SurveyedPlaces.Listener(slot: slots[device], means: means[device], precisions: 1 / variances[device], spreads: spreads)
    }
    return SurveyedPlaces.Room(listeners: listeners, indices: indices, shares: shares)
  }

  private static func distance(_ a: [Float], _ b: [Float]) -> Float {
    var sum: Float = 0
    for index in a.indices { sum += (a[index] - b[index]) * (a[index] - b[index]) }
    return sum
  }
}
