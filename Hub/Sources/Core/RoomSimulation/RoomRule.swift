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

/// The rule of this project, with or without a survey of the rooms.
struct FilterRule: RoomRule {
  let name: String
  private var filter: BeaconRoomFilter
  private let settings: BeaconRoomFilterSettings
  private let devices: [SiteDevice]
  private var present: [Int?]
  private let rooms: [String: Int]
  /// The survey until it ends; nil afterwards and without one.
  private var survey: SurveyRecorder?
  private let tags: Int

  init(_ simulation: SiteSimulation, _ settings: BeaconRoomFilterSettings, isSurveyed: Bool) {
    name = isSurveyed ? "this filter, surveyed" : "this filter"
    let plan = simulation.plan
    devices = plan.siteDevices
    self.settings = settings
    filter = BeaconRoomFilter(devices: devices, settings: settings)
    tags = simulation.tagCount
    present = Array(repeating: nil, count: tags)
    rooms = Dictionary(uniqueKeysWithValues: plan.rooms.enumerated().map { ($1.name, $0) })
    survey = isSurveyed ? SurveyRecorder(simulation) : nil
  }

  mutating func take(_ digest: SimulatedDigest) {
    survey?.take(digest)
    let changes = filter.take(digest.sightings, from: Int32(digest.device), at: Instant(microseconds: Int64(digest.time * 1e6)))
    apply(changes)
    if let survey, digest.arrival > survey.end { use(survey) }
  }

  /// Begins again from the state of the filter, as a worker does after a survey.
  private mutating func use(_ survey: SurveyRecorder) {
    self.survey = nil
    var surveyed = BeaconRoomFilter(devices: devices, surveys: survey.surveys(), settings: settings)
    for tag in 0..<tags {
      let beacon = SiteSimulation.beacon(tag)
      if let octets = filter.octets(of: beacon) { try? surveyed.restore(octets, of: beacon) }
    }
    try? surveyed.restore(offsets: filter.offsets)
    filter = surveyed
  }

  private mutating func apply(_ changes: [RoomChange]) {
    for change in changes where change.beacon.minor < tags { present[Int(change.beacon.minor)] = change.to.flatMap { rooms[$0] } }
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
    levels = Array(repeating: Array(repeating: nil, count: rooms.count), count: simulation.tagCount)
  }

  mutating func take(_ digest: SimulatedDigest) {
    for sighting in digest.sightings where sighting.beacon.minor < levels.count {
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
