import Beacons
import Geodesy
import Instants
import Records
import Regions
import Scoring
import Venues

/// The true visits of every region, computed from the venue alone.
/// Faults, fading and loss do not affect them.
///
/// The resolution is 100 ms while anything moves, and one microsecond otherwise.
public struct VenueTruth: Sendable {
  public let scenario: Scenario
  /// The visits of each region, in the order of the scenario.
  public let visits: [[Visit]]
  /// The stays in the border of each region that led to no visit; both inside and outside are right there.
  public let borderStays: [[ClosedRange<Instant>]]

  private static let resolution = Span.milliseconds(100)

  public init(_ scenario: Scenario, seed: UInt64) {
    let venue = SimulatedVenue(scenario, seed: seed)
    let scenario = venue.scenario
    self.scenario = scenario
    var pairs = Self.pairs(of: scenario)
    var circles = CircleZones(scenario)
    var areas = PlaceZones(scenario)
    var trackers = scenario.regions.map { VisitTracker(exitDelay: $0.beaconRegion?.exitDelay ?? CircularRegion.hold) }
    var zones = scenario.regions.map { _ in Zone.outer }
    var time = Scenario.start
    var isFirst = true
    while time < scenario.end {
      let motion = Motion(scenario, at: time)
      for index in pairs.indices where isFirst || motion.concerns(pairs[index].visitors) || pairs[index].dies == time {
        pairs[index].look(venue, at: time)
      }
      if isFirst || motion.concerns(circles.visitors) { circles.look(venue, at: time) }
      if isFirst || motion.concerns(areas.visitors) { areas.look(venue, at: time) }
      var next = scenario.regions.map { _ in Zone.outer }
      for (region, zone) in circles.zones + areas.zones { next[region] = zone }
      for pair in pairs { for (region, zone) in pair.zones { next[region] = Swift.max(next[region], zone) } }
      for region in zones.indices where isFirst || next[region] != zones[region] { trackers[region].note(next[region], at: time) }
      zones = next
      isFirst = false
      let death = pairs.lazy.map(\.dies).filter { $0 > time }.min() ?? .never
      time = Swift.min(motion.isGoingOn ? time + Self.resolution : .never, Swift.min(motion.nextChange, death))
    }
    for region in trackers.indices { trackers[region].finish(at: scenario.end) }
    visits = trackers.map(\.visits)
    borderStays = trackers.map(\.borderStays)
  }

  private static func pairs(of scenario: Scenario) -> [Pair] {
    scenario.beacons.indices.flatMap { beacon in
      let regions = scenario.regions.indices.filter {
        scenario.regions[$0].beaconRegion?.constraint.contains(scenario.beacons[beacon].identity) == true
      }
      return regions.isEmpty ? [] : scenario.receivers.indices.map { Pair(scenario, beacon: beacon, receiver: $0, regions: regions) }
    }
  }
}

extension VenueTruth {
  /// A beacon and a receiver, and the zones of the beacon's regions for this receiver.
  private struct Pair {
    let beacon: Int
    let receiver: Int
    /// The visitors who carry the beacon or the receiver.
    let visitors: [Int]
    /// The time at which the beacon's battery is empty; `.never` if it lasts.
    let dies: Instant
    var zones: [(region: Int, zone: Zone)]
    /// The regions, in the order of `zones`.
    private let rules: [BeaconRegion]

    init(_ scenario: Scenario, beacon: Int, receiver: Int, regions: [Int]) {
      self.beacon = beacon
      self.receiver = receiver
      visitors = [scenario.beacons[beacon].position.visitor, scenario.receivers[receiver].position.visitor].compactMap(\.self)
      dies = scenario.beacons[beacon].batteryDeath.map { Scenario.start + $0 } ?? .never
      zones = regions.map { ($0, .outer) }
      rules = regions.compactMap { scenario.regions[$0].beaconRegion }
    }

    mutating func look(_ venue: SimulatedVenue, at time: Instant) {
      guard let places = venue.places(beacon: beacon, receiver: receiver, at: time) else {
        for index in zones.indices { zones[index].zone = .outer }
        return
      }
      let level = venue.level(beacon: beacon, receiver: receiver, places)
      let distance = venue.distance(beacon: beacon, receiver: receiver, places)
      let isWalledOff = venue.isWalledOff(places.beacon, places.receiver)
      for index in zones.indices {
        zones[index].zone = Zone(
          rules[index], level: level, sensitivity: venue.scenario.receivers[receiver].sensitivity,
          distance: distance, isWalledOff: isWalledOff)
      }
    }
  }

  /// The visitors who have moved, come or gone at an instant.
  private struct Motion {
    private var changed: [Bool]
    /// Whether any visitor walks after this instant.
    private(set) var isGoingOn = false
    /// The next time at which a visitor begins or ends a straight segment.
    private(set) var nextChange = Instant.never

    init(_ scenario: Scenario, at time: Instant) {
      let span = time - Scenario.start
      let before = Span(microseconds: span.microseconds - 1)
      changed = Array(repeating: false, count: scenario.visitors.count)
      for (index, path) in scenario.visitors.enumerated() {
        let isMoving = path.isMoving(at: span)
        changed[index] = isMoving || path.isMoving(at: before) || path.nextChange(after: before) == span
        isGoingOn = isGoingOn || isMoving
        if let next = path.nextChange(after: span) { nextChange = Swift.min(nextChange, Scenario.start + next) }
      }
    }

    func concerns(_ visitors: [Int]) -> Bool { visitors.contains { changed[$0] } }
  }
}

/// The zones of the scenario's circles for the carrier of the position receiver.
private struct CircleZones {
  private(set) var zones: [(region: Int, zone: Zone)]
  /// The visitor who carries the receiver, if any.
  let visitors: [Int]
  private let circles: [CircularRegion]

  init(_ scenario: Scenario) {
    let all = scenario.regions.enumerated().compactMap { index, region in region.circularRegion.map { (index, $0) } }
    circles = all.map(\.1)
    zones = all.map { ($0.0, .outer) }
    visitors = [scenario.positioning?.position.visitor].compactMap(\.self)
  }

  /// Computes the zones; an absent carrier is outside every circle.
  mutating func look(_ venue: SimulatedVenue, at time: Instant) {
    guard let receiver = venue.scenario.positioning, let site = venue.scenario.site else { return }
    let place = venue.place(of: receiver.position, at: time).map { site.coordinate(of: $0.point) }
    for (index, region) in circles.enumerated() {
      zones[index].zone =
        place.map { Zone(region, distance: region.circle.center.distance(to: $0), accuracy: receiver.accuracy) } ?? .outer
    }
  }
}

/// The zones of the scenario's place regions for the first carrier of a receiver.
private struct PlaceZones {
  private(set) var zones: [(region: Int, zone: Zone)] = []
  /// The visitor who carries the receiver, if any.
  let visitors: [Int]
  private let areas: [PlaceArea]

  init(_ scenario: Scenario) {
    var areas: [PlaceArea] = []
    for (index, region) in scenario.regions.enumerated() {
      guard let area = region.placeRegion.flatMap({ region in scenario.venue.flatMap { PlaceArea(region.area, in: $0) } }) else { continue }
      areas.append(area)
      zones.append((index, .outer))
    }
    self.areas = areas
    visitors = [scenario.carrier].compactMap(\.self)
  }

  /// Computes the zones; an absent carrier is outside every place.
  mutating func look(_ venue: SimulatedVenue, at time: Instant) {
    let place = visitors.first.flatMap { venue.place(of: .carried(by: $0), at: time) }
    for (index, area) in areas.enumerated() {
      zones[index].zone = place.map { Zone(distance: area.distance(from: $0.point, level: $0.nearestLevel)) } ?? .outer
    }
  }
}

extension VenueTruth {
  /// One record for each visit, region by region; the key `left` is absent if the visit lasts until the end.
  public var records: [Record] {
    zip(scenario.regions, visits).flatMap { region, visits in
      visits.map { visit in
        Record([
          "region": .text(region.identifier), "approached": .time(visit.approached), "entered": .time(visit.entered),
          "lastInside": .time(visit.lastInside), "left": visit.left.map { .time($0) },
        ])
      }
    }
  }
}
