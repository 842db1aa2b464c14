import Beacons
import FleetMessages
import Instants
import Rooms

/// A rule that decides the room of each tag of a simulated site.
protocol RoomRule {
  var name: String { get }
  /// Whether the rule also decides the rooms of tags that lie still.
  var followsStillTags: Bool { get }
  /// Takes a digest.
  mutating func take(_ digest: SimulatedDigest)
  /// Returns the room of each tag at a time, which never decreases; nil if the tag is in none.
  mutating func rooms(at time: Double) -> [Int?]
}

extension RoomRule {
  var followsStillTags: Bool { true }
}

/// The rule of this project.
struct FilterRule: RoomRule {
  let name = "this filter"
  private var filter: RoomFilter
  private var present: [Int?]
  private let rooms: [String: Int]
  private(set) var changes: [RoomChange] = []

  init(_ simulation: SiteSimulation, _ settings: RoomFilterSettings) {
    let plan = simulation.plan
    filter = RoomFilter(
      devices: plan.devices.enumerated().map { index, device in
        SiteDevice(id: Int32(index), room: plan.rooms[device.room].name, floor: device.place.floor)
      }, settings: settings)
    present = Array(repeating: nil, count: simulation.walks.count)
    rooms = Dictionary(uniqueKeysWithValues: plan.rooms.enumerated().map { ($1.name, $0) })
  }

  mutating func take(_ digest: SimulatedDigest) {
    let changes = filter.take(digest.sightings, from: Int32(digest.device), at: Instant(microseconds: Int64(digest.time * 1e6)))
    apply(changes)
  }

  private mutating func apply(_ changes: [RoomChange]) {
    for change in changes { present[Int(change.beacon.minor)] = change.to.flatMap { rooms[$0] } }
    self.changes += changes
  }

  mutating func rooms(at time: Double) -> [Int?] {
    apply(filter.expire(at: Instant(microseconds: Int64(time * 1e6))))
    return present
  }
}

/// The room of the device with the strongest level of the last ten seconds.
struct StrongestRule: RoomRule {
  let name = "strongest RSSI"
  private let rooms: [Int]
  private var levels: [[(level: Int, time: Double)?]]

  init(_ simulation: SiteSimulation) {
    rooms = simulation.plan.devices.map(\.room)
    levels = Array(repeating: Array(repeating: nil, count: rooms.count), count: simulation.walks.count)
  }

  mutating func take(_ digest: SimulatedDigest) {
    for sighting in digest.sightings {
      levels[Int(sighting.beacon.minor)][digest.device] = (sighting.level, digest.arrival - Double(sighting.age) / 1000)
    }
  }

  mutating func rooms(at time: Double) -> [Int?] {
    levels.map { levels in
      let heard = levels.indices.filter { levels[$0].map { time - $0.time < 12 } ?? false }
      return heard.max { (levels[$0]?.level ?? 0) < (levels[$1]?.level ?? 0) }.map { rooms[$0] }
    }
  }
}
