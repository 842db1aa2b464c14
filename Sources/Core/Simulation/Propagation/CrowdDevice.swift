import Instants
import Venues

/// A device of the crowd, which stays at one place and then moves to another one under a new address, like a new device.
struct CrowdDevice: Sendable {
  /// The 48-bit address, with the two highest bits of a resolvable private address.
  /// Core Specification 5.4, Volume 6, Part B, 1.3.2.
  private(set) var address: UInt64 = 0
  private var place = PlanPoint(x: 0, y: 0)
  private var changes: Instant
  private var random: RandomStream

  /// The level in dBm at 1 m.
  private static let power = -62.0
  /// The lifetime of an address in seconds.
  /// A resolvable private address lasts 15 minutes by default (Core Specification 5.4, Volume 3, Part C, appendix A).
  private static let stay = 900.0

  init(_ index: Int, seed: UInt64, from start: Instant) {
    random = RandomStream(seed: seed, .crowd, index)
    changes = start
  }

  /// Returns the RSSI of the device's advertisement at `time` for a receiver at `receiver`; nil if it is too weak.
  /// Times must not decrease.
  mutating func hear(_ crowd: Crowd, _ radio: RadioModel, _ receiver: (place: PlanPoint?, Receiver), at time: Instant) -> Int8? {
    while changes <= time { change(crowd) }
    guard let place = receiver.place else { return nil }
    let level = Self.power + receiver.1.offset - radio.pathLoss(metres: place.distance(to: self.place)) + radio.fading.fade(&random)
    return level < receiver.1.sensitivity ? nil : RadioModel.rssi(level)
  }

  /// Returns the time of the next advertisement; intervals vary from device to device and from one to the next.
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
