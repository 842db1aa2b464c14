import Beacons
import FleetMessages
import RealModule

/// The rule by which Bermuda, an integration of Home Assistant, chooses the area of a beacon, with its default settings.
///
/// This implementation follows its documentation (github.com/agittins/bermuda, README and wiki "Settings") and the behaviour of version
/// 0.8: a reading becomes a distance with -55 dBm at 1 m and an exponent of 3. A distance that grows by more than 3 m/s is ignored. The
/// last 20 distances are averaged, of which each counts at most as much as the nearest after it. A device wins an area if it is nearer, by
/// a share of 0.18 at once, or by 0.15 if its last five distances are all below those of the present device. Readings older than 10 s
/// cannot win, and those older than 30 s are forgotten. Bermuda receives packets and not digests; the rule takes the filtered level in a
/// digest as a packet.
struct BermudaRule: RoomRule {
  let name: String
  /// The corrections in dB that a user has entered for each device.
  private let offsets: [Double]
  private let rooms: [Int]
  private var adverts: [[Advert?]]
  private var winners: [Int?]

  /// Creates the rule; with `isCalibrated` a user has entered the exact offset of each device.
  init(_ simulation: SiteSimulation, isCalibrated: Bool) {
    name = isCalibrated ? "Bermuda, calibrated" : "Bermuda"
    rooms = simulation.plan.devices.map(\.room)
    offsets = simulation.plan.devices.map { isCalibrated ? -$0.offset : 0 }
    adverts = Array(repeating: Array(repeating: nil, count: rooms.count), count: simulation.tagCount)
    winners = Array(repeating: nil, count: simulation.tagCount)
  }

  mutating func take(_ digest: SimulatedDigest) {
    for sighting in digest.sightings where sighting.beacon.minor < winners.count {
      let stamp = digest.arrival - Double(sighting.age) / 1000
      let distance = Double.pow(10, (-55 - Double(sighting.level) - offsets[digest.device]) / 30)
      let tag = Int(sighting.beacon.minor)
      if adverts[tag][digest.device] == nil { adverts[tag][digest.device] = Advert() }
      adverts[tag][digest.device]?.take(distance, at: stamp)
    }
  }

  mutating func rooms(at time: Double) -> [Int?] {
    for tag in adverts.indices {
      for device in adverts[tag].indices { adverts[tag][device]?.update(at: time) }
      winners[tag] = contest(adverts[tag], present: winners[tag], at: time)
    }
    return winners.indices.map { tag in
      guard let winner = winners[tag], adverts[tag][winner]?.smoothed != nil else { return nil }
      return rooms[winner]
    }
  }

  /// A two-way race of each device against the best so far.
  private func contest(_ adverts: [Advert?], present: Int?, at time: Double) -> Int? {
    var best = present
    for (device, advert) in adverts.enumerated() {
      guard device != best, let advert, advert.stamp >= time - 10 else { continue }
      guard let index = best, let holder = adverts[index], let held = holder.smoothed else {
        best = device
        continue
      }
      guard let distance = advert.smoothed, distance <= 20, distance <= held else { continue }
      let share = (held - distance) / (held + distance) / 2
      let isSameRoom = rooms[device] == rooms[index] && holder.stamp + 1 < advert.stamp
      let isNearerAllTheTime =
        advert.byInterval.count > 3 && share > 0.15 && (advert.byInterval.prefix(5).max() ?? 0) < (holder.byInterval.prefix(5).min() ?? 0)
      if isSameRoom || isNearerAllTheTime || share >= 0.18 { best = device }
    }
    return best
  }

  /// The readings of one device for one tag, the newest first.
  private struct Advert {
    var stamp = -1000.0
    var isNew = false
    var distances: [Double] = []
    var stamps: [Double] = []
    var byInterval: [Double] = []
    /// The smoothed distance in metres; nil if the device has not heard the tag for 30 s.
    var smoothed: Double?

    mutating func take(_ distance: Double, at stamp: Double) {
      guard stamp > self.stamp else { return }
      (self.stamp, isNew) = (stamp, true)
      distances = [distance] + distances.prefix(9)
      stamps = [stamp] + stamps.prefix(9)
    }

    mutating func update(at time: Double) {
      defer { isNew = false }
      guard let raw = distances.first else { return }
      guard smoothed != nil || !isNew else {
        (smoothed, byInterval) = (raw, [raw])
        return
      }
      guard isNew || stamp >= time - 30 else {
        (smoothed, byInterval) = (nil, [])
        return
      }
      let isTooFast = velocity > 3
      byInterval.insert(isTooFast ? byInterval.first ?? raw : raw, at: 0)
      if byInterval.count > 20 { byInterval.removeLast() }
      var (least, total) = (raw, 0.0)
      for distance in byInterval {
        least = Swift.min(least, distance)
        total += least
      }
      smoothed = Swift.min(raw, total / Double(byInterval.count))
    }

    /// The greatest speed of a retreat to the newest reading in m/s, or that of the last approach.
    private var velocity: Double {
      guard stamps.count > 1 else { return 0 }
      var peak = (distances[0] - distances[1]) / (stamps[0] - stamps[1])
      guard peak >= 0 else { return peak }
      for index in stamps.indices.dropFirst(2) { peak = Swift.max(peak, (distances[0] - distances[index]) / (stamps[0] - stamps[index])) }
      return peak
    }
  }
}
