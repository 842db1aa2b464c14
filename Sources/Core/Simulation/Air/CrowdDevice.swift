import Instants

/// A device of the crowd: somewhere for a while, then somewhere else and under another address, as if it were another.
struct CrowdDevice: Sendable {
  /// 48 bits, the two highest as in a resolvable private address (Core Specification 5.4, Volume 6, Part B, 1.3.2).
  private(set) var address: UInt64 = 0
  private var place = Point(x: 0, y: 0)
  private var changes: Instant
  private var random: RandomStream

  /// In dBm at 1 m.
  private static let power = -62.0
  /// A resolvable private address lasts 15 minutes where nothing else was asked for (Core Specification 5.4, Volume 3, Part C, appendix A).
  private static let stay = 900.0

  init(_ index: Int, seed: UInt64, from start: Instant) {
    random = RandomStream(seed: seed, .crowd, index)
    changes = start
  }

  /// The RSSI with which a receiver at `receiver` hears what the device sends at `time`; nil when too weakly. Times must not decrease.
  mutating func hear(_ crowd: Crowd, _ radio: RadioModel, _ receiver: (place: Point?, Receiver), at time: Instant) -> Int8? {
    while changes <= time { change(crowd) }
    guard let place = receiver.place else { return nil }
    let level = Self.power + receiver.1.offset - radio.pathLoss(metres: place.distance(to: self.place)) + radio.fading.fade(&random)
    return level < receiver.1.sensitivity ? nil : RadioModel.rssi(level)
  }

  /// When it sends again: intervals of a random device differ, and so do those of one.
  mutating func nextTime(_ crowd: Crowd, after time: Instant) -> Instant {
    time + .seconds(crowd.interval.seconds * random.uniform(in: 0.5...1.5))
  }

  private mutating func change(_ crowd: Crowd) {
    address = random.word() & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000
    place = crowd.from.towards(crowd.to, 0)
    place.x += (crowd.to.x - crowd.from.x) * random.uniform()
    place.y += (crowd.to.y - crowd.from.y) * random.uniform()
    changes += .seconds(random.exponential(mean: Self.stay))
  }
}
