extension RoomSurvey {
  /// The maximum number of samples of a device: two for each moment that a survey distinguishes.
  static let mostSamples = 480
  /// The maximum number of devices that keep `mostSamples`, twice as many as the places of a room have.
  ///
  /// Other devices that heard the tag keep `fewSamples`.
  static let mostHearing = 48
  static let fewSamples = 16

  /// The survey with at most as many devices and samples as are stored.
  ///
  /// The devices that heard the tag best stay. A survey within the limits is unchanged.
  var limited: RoomSurvey {
    let isWithin =
      listeners.count <= BeaconRoomFilter.mostDevices && listeners.allSatisfy { $0.samples.count <= Self.mostSamples }
      && listeners.count { $0.samples.count > Self.fewSamples } <= Self.mostHearing
    guard !isWithin else { return self }
    let places = listeners.indices.sorted {
      (listeners[$0].isHearing ? 0 : 1, listeners[$1].mean, $0) < (listeners[$1].isHearing ? 0 : 1, listeners[$0].mean, $1)
    }
    var kept: [Int: Listener] = [:]
    for (place, index) in places.prefix(BeaconRoomFilter.mostDevices).enumerated() {
      kept[index] = listeners[index].thinned(to: place < Self.mostHearing ? Self.mostSamples : Self.fewSamples)
    }
    return RoomSurvey(room: room, doors: doors, seconds: seconds, listeners: listeners.indices.compactMap { kept[$0] })
  }
}

extension RoomSurvey.Listener {
  /// The mean level in dBm, in which a digest without the tag counts as just below the sensitivity of a receiver.
  var mean: Float {
    guard !samples.isEmpty else { return -.infinity }
    return samples.reduce(0) { $0 + $1.effectiveLevel } / Float(samples.count)
  }

  /// Whether the device heard the tag.
  var isHearing: Bool { samples.contains { $0.level != nil } }

  /// Returns the listener with at most this number of samples, one of each span of the walk.
  ///
  /// The position within a span changes by the golden ratio (a sequence of low discrepancy: van der Corput, 1935; Weyl, 1916). With a fixed
  /// one, a device that hears the tag in every other digest would keep only those with the tag, or only those without.
  func thinned(to most: Int) -> Self {
    guard samples.count > most else { return self }
    var thinned = self
    thinned.samples = (0..<most).map { index in
      let (first, next) = (index * samples.count / most, (index + 1) * samples.count / most)
      let position = (Double(index) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
      return samples[Swift.min(next - 1, first + Int(position * Double(next - first)))]
    }
    return thinned
  }
}

extension RoomSurvey.Sample {
  /// The level in dBm, for a digest without the tag just below the sensitivity of a receiver.
  var effectiveLevel: Float { level.map { Float($0) } ?? RoomLevels.unheard - 1 }
}
