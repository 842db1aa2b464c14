import Beacons
import FleetMessages
import RealModule
import Seeds

/// A digest of a simulated device, as it arrives at the hub.
public struct SimulatedDigest: Sendable {
  public var device: Int
  /// The time by which the hub dates it, and the time of its arrival, in seconds.
  public var time: Double
  public var arrival: Double
  public var sightings: [FleetSighting]
}

/// A site with tags and devices, second by second.
///
/// It models what a hub sees: levels that the devices have filtered, digests of at most 20 beacons every 1 to 10 s, delays, digests that
/// overtake others, and outages. The same seed gives the same site.
public struct SiteSimulation {
  public let plan: SimulatedSite
  public let setting: RoomSetting
  let walks: [TagWalk]
  /// The walk of an installer, whose tag is the last one. No rule is judged by it.
  let survey: SurveyWalk
  let seconds: Double
  private var random: SeededGenerator
  let radio: SiteRadio
  private var links: [TagLink]
  private var legs: [Int]
  private var places: [SitePoint?]
  private var headings: [(angle: Double, until: Double)]
  /// The end of the last digest of each device, and the end of its outage.
  private var digests: [Double]
  private var outages: [Double]
  private var waiting: [SimulatedDigest] = []

  /// The seconds between the packets of a tag.
  private static let packetInterval = 0.5
  /// The maximum number of sightings in a digest.
  static let mostSightings = 20

  public init(_ setting: RoomSetting, hours: Double, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let plan = SimulatedSite(setting, &random)
    radio = SiteRadio(plan, setting, &random)
    let seconds = hours * 3600
    self.seconds = seconds
    survey = SurveyWalk(plan, seconds: seconds)
    walks =
      (0..<setting.stillTags).map { _ in TagWalk(stillIn: plan, seconds: seconds, &random) }
      + (0..<setting.walkingTags).map { _ in TagWalk(walkingIn: plan, meanStay: setting.stay, seconds: seconds, &random) }
      + [survey.walk]
    links = Array(repeating: TagLink(), count: walks.count * plan.devices.count)
    legs = Array(repeating: 0, count: walks.count)
    places = Array(repeating: nil, count: walks.count)
    headings = Array(repeating: (0, 0), count: walks.count)
    digests = plan.devices.map { .random(in: -$0.interval...0, using: &random) }
    outages = plan.devices.map { _ in -1 }
    (self.plan, self.setting, self.random) = (plan, setting, random)
  }

  /// The number of tags that rules are judged by: those that lie still come first.
  var tagCount: Int { walks.count - 1 }

  public static func beacon(_ tag: Int) -> BeaconIdentity {
    BeaconIdentity(uuid: BeaconUUID(high: 0x5EED, low: 0), major: 1, minor: UInt16(truncatingIfNeeded: tag))
  }

  /// Returns all digests in the order of their arrival.
  public mutating func run() -> [SimulatedDigest] {
    var digests: [SimulatedDigest] = []
    for half in 0..<Int(seconds * 2) { digests += advance(to: Double(half) / 2) }
    return digests
  }

  /// Advances by half a second to `time` and returns the digests that arrive.
  mutating func advance(to time: Double) -> [SimulatedDigest] {
    for tag in walks.indices { send(tag, at: time) }
    for device in plan.devices.indices { report(device, at: time) }
    let arrived = waiting.filter { $0.arrival <= time }.sorted { $0.arrival < $1.arrival }
    waiting.removeAll { $0.arrival <= time }
    return arrived
  }

  private mutating func send(_ tag: Int, at time: Double) {
    while legs[tag] + 1 < walks[tag].legs.count && walks[tag].legs[legs[tag]].end <= time { legs[tag] += 1 }
    let leg = walks[tag].legs[legs[tag]]
    let place = leg.place(at: time)
    let isStill = tag < setting.stillTags
    if !isStill && (time >= headings[tag].until || !leg.isStay) {
      // People face the way, and turn now and then while they stay.
      let way = Double.atan2(y: leg.to.y - leg.from.y, x: leg.to.x - leg.from.x)
      let stay = Double.random(in: 15...60, using: &random)
      headings[tag] = leg.isStay ? (.random(in: 0..<2 * .pi, using: &random), time + stay) : (way, time)
    }
    let hasMoved = !(places[tag]?.isNear(place) ?? false)
    places[tag] = place
    for device in plan.devices.indices {
      let index = tag * plan.devices.count + device
      if hasMoved {
        links[index].mean = radio.level(of: device, at: place)
        let receiver = plan.devices[device].place
        links[index].bearing = Double.atan2(y: receiver.y - place.y, x: receiver.x - place.x)
      }
      // Too weak even without fades.
      guard links[index].mean > SiteRadio.sensitivity - 12, outages[device] < time else { continue }
      let body = isStill ? 0 : setting.body * (1 - Double.cos(links[index].bearing - headings[tag].angle)) / 2
      links[index].fade(isMoving: !leg.isStay, setting: setting, at: time, &random)
      links[index].receive(at: time, body: body, &random)
    }
  }

  private mutating func report(_ device: Int, at time: Double) {
    let receiver = plan.devices[device]
    if outages[device] < time && Double.random(in: 0..<1, using: &random) < Self.packetInterval / 3600 / setting.hoursBetweenOutages {
      outages[device] = time + 180 * -Double.log(1 - .random(in: 0..<1, using: &random))
      for tag in walks.indices { links[tag * plan.devices.count + device].forget() }
    }
    guard outages[device] < time, time >= digests[device] + receiver.interval else { return }
    let previous = digests[device]
    digests[device] = time
    var heard: [(tag: Int, link: TagLink, last: Double)] = []
    for tag in walks.indices {
      let link = links[tag * plan.devices.count + device]
      if let last = link.last, last > previous { heard.append((tag, link, last)) }
    }
    heard.sort { $0.link.level > $1.link.level }
    let sightings = heard.prefix(Self.mostSightings).map { tag, link, last in
      FleetSighting(
        beacon: Self.beacon(tag), level: Int(link.level.rounded()), distance: nil, rate: 16, age: Int((time - last) * 1000))
    }
    // One in twenty is late by up to 8 s, and arrives after the next.
    let delay = 0.1 - 0.2 * Double.log(1 - .random(in: 0..<1, using: &random))
    let isLate = Double.random(in: 0..<1, using: &random) < 0.05
    waiting.append(
      SimulatedDigest(
        device: device, time: time + receiver.clockError, arrival: time + delay + (isLate ? .random(in: 0...8, using: &random) : 0),
        sightings: Array(sightings)))
  }
}
