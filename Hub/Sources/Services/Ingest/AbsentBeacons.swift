/// The beacons for which a full site had no row, so that a worker does not ask for them with every batch.
struct AbsentBeacons {
  /// The time in milliseconds until a worker asks again, and in which a beacon counts as present.
  static let span: Int64 = 60_000

  private let limit: Int
  private var times: [BeaconKey: Int64] = [:]

  init(limit: Int) { self.limit = limit }

  /// Returns whether the beacon had no row within the last minute. A clock that was set back ends the minute.
  func contains(_ key: BeaconKey, _ now: Int64) -> Bool { times[key].map { (0..<Self.span).contains(now - $0) } ?? false }

  mutating func insert(_ keys: some Collection<BeaconKey>, _ now: Int64) {
    if times.count + keys.count > limit { times = times.filter { (0..<Self.span).contains(now - $0.value) } }
    if times.count + keys.count > limit { times = [:] }
    for key in keys { times[key] = now }
  }
}
