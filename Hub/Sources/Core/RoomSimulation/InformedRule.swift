import Beacons
import FleetMessages

/// A rule that knows the simulated site, for a bound: no hub can know that much.
///
/// It knows the true mean level of each device at each place, bodies, fading, the plan with its doors, and how tags walk. It reports a
/// change when the probability of another room seven seconds ago exceeds 0.8 for four seconds. These values were chosen on seed 11. It
/// follows only tags that walk, and begins shortly before the rules are compared, because it learns nothing.
struct InformedRule: RoomRule {
  let name = "knows the site"
  let followsStillTags = false
  private let begin: Double
  private let stillTags: Int
  private let devices: [SimulatedSite.Device]
  private let tags: Int
  private var hypotheses: [TagHypotheses]
  private var present: [Int?]
  private var candidates: [(room: Int, seconds: Int)]
  /// The time of the last digest of each device, and the tables for its silence.
  private var digests: [Double?]
  private var tables: [SilenceKey: [Float]] = [:]

  private struct SilenceKey: Hashable {
    var limit: Int
    var quarters: Int
  }

  private static let hold = 4
  private static let probability: Float = 0.8
  private static let leadTime = 300.0

  /// Creates the rule for a comparison that begins at a time in seconds, with a number of hypotheses for each tag.
  init(_ simulation: SiteSimulation, comparedFrom time: Double, hypotheses count: Int, seed: UInt64) {
    begin = Swift.max(0, time - Self.leadTime)
    (stillTags, tags, devices) = (simulation.setting.stillTags, simulation.tagCount, simulation.plan.devices)
    let map = SiteMap(simulation)
    hypotheses = (stillTags..<tags).map { TagHypotheses(map, simulation.setting, count: count, seed: seed &+ UInt64($0)) }
    present = Array(repeating: nil, count: tags)
    candidates = Array(repeating: (0, 0), count: tags)
    digests = Array(repeating: nil, count: devices.count)
  }

  mutating func take(_ digest: SimulatedDigest) {
    let device = devices[digest.device]
    let time = digest.time - device.clockError
    let previous = digests[digest.device]
    // Late digests are rare, and those that others overtook say little.
    guard digest.arrival >= begin, time > digest.arrival - 3, time > previous ?? -.infinity else { return }
    digests[digest.device] = time
    let interval = Float(previous.map { Swift.min(20, time - $0) } ?? device.interval)
    let isFull = digest.sightings.count >= SiteSimulation.mostSightings
    let limit = isFull ? digest.sightings.map(\.level).min() ?? 0 : Int(SiteRadio.sensitivity)
    let key = SilenceKey(limit: limit, quarters: Int(Swift.min(interval, Float(device.interval) * 1.5) * 4))
    if tables[key] == nil { tables[key] = LinkModel.silence(limit: Float(limit), interval: Float(key.quarters) / 4) }
    guard let table = tables[key] else { return }
    var levels = [Float?](repeating: nil, count: tags)
    for sighting in digest.sightings where sighting.beacon.minor < tags { levels[Int(sighting.beacon.minor)] = Float(sighting.level) }
    for index in hypotheses.indices {
      if let level = levels[stillTags + index] {
        hypotheses[index].hear(level, device: digest.device, interval: interval)
      } else {
        hypotheses[index].miss(device: digest.device, table: table, limit: Float(limit))
      }
    }
  }

  mutating func rooms(at time: Double) -> [Int?] {
    guard time >= begin else { return present }
    for index in hypotheses.indices {
      hypotheses[index].normalize()
      let (room, probability) = hypotheses[index].formerRoom()
      let tag = stillTags + index
      if probability > Self.probability && room != present[tag] {
        candidates[tag] = candidates[tag].room == room ? (room, candidates[tag].seconds + 1) : (room, 1)
        if candidates[tag].seconds >= Self.hold { (present[tag], candidates[tag]) = (room, (room, 0)) }
      } else {
        candidates[tag].seconds = 0
      }
      hypotheses[index].advance(to: Float(time - begin) + 1)
    }
    return present
  }
}
