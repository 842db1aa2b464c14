import Instants
import Venues

/// The positions of all objects over time, and the mean levels before fading and loss.
struct SimulatedVenue: Sendable {
  let scenario: Scenario
  /// The shadowing as seen from each beacon, and from each receiver.
  private let beaconShadows: [ShadowField]
  private let receiverShadows: [ShadowField]
  /// The walls of each level, by its ordinal.
  private let walls: [Int: [VenueWall]]
  /// The true powers of the beacons in dBm at 1 m.
  private let powers: [Double]

  init(_ scenario: Scenario, seed: UInt64) {
    let scenario = scenario.walked(seed: seed)
    self.scenario = scenario
    walls = Dictionary(grouping: scenario.walls) { scenario.ordinal(ofLevel: $0.level) }
    powers = scenario.beacons.indices.map { index in
      var random = RandomStream(seed: seed, .power, index)
      let spread = scenario.radio.beaconSpread
      return scenario.beacons[index].power + (spread > 0 ? spread * random.normal() : 0)
    }
    let step = scenario.radio.shadowingDistance
    beaconShadows = scenario.beacons.indices.map { ShadowField(RandomStream(seed: seed, .shadowing, 0, $0), step: step) }
    receiverShadows = scenario.receivers.indices.map { ShadowField(RandomStream(seed: seed, .shadowing, 1, $0), step: step) }
  }

  /// Returns the location; nil while its carrier is away.
  func place(of position: VenuePosition, at time: Instant) -> BuildingPoint? {
    switch position {
    case .fixed(let point, let level): BuildingPoint(point: point, storey: Double(level))
    case .carried(let visitor): scenario.visitors[visitor].location(at: time - Scenario.start)
    }
  }

  typealias Places = (beacon: BuildingPoint, receiver: BuildingPoint)

  /// Returns the places of both ends; nil if either is away or the battery is empty.
  func places(beacon: Int, receiver: Int, at time: Instant) -> Places? {
    let sender = scenario.beacons[beacon]
    if let death = sender.batteryDeath, time >= Scenario.start + death { return nil }
    guard let from = place(of: sender.position, at: time), let to = place(of: scenario.receivers[receiver].position, at: time) else {
      return nil
    }
    return (from, to)
  }

  /// Returns the distance in metres, with the heights of both ends.
  func distance(beacon: Int, receiver: Int, _ places: Places) -> Double {
    let metres = places.beacon.point.distance(to: places.receiver.point)
    let rise =
      (places.beacon.storey - places.receiver.storey) * VenueLevel.storeyHeight + scenario.beacons[beacon].height
      - scenario.receivers[receiver].height
    return rise == 0 ? metres : (metres * metres + rise * rise).squareRoot()
  }

  /// Returns the mean level in dBm from power, distance, walls, floors, shadowing and the receiver's offset.
  func level(beacon: Int, receiver: Int, _ places: Places) -> Double {
    let radio = scenario.radio
    var level = powers[beacon] + scenario.receivers[receiver].offset
    level -= radio.pathLoss(metres: distance(beacon: beacon, receiver: receiver, places))
    level -= wallLoss(places.beacon, places.receiver)
    level -= radio.floorAttenuation * abs(places.beacon.storey - places.receiver.storey)
    if radio.shadowing > 0 {
      // Either end may move, and each half of the variance depends on one of them.
      let shadows = beaconShadows[beacon].value(at: places.receiver) + receiverShadows[receiver].value(at: places.beacon)
      level += radio.shadowing * 0.5.squareRoot() * shadows
    }
    return level
  }

  /// Returns the attenuation of the walls between two points. Between levels, only the floors attenuate.
  private func wallLoss(_ a: BuildingPoint, _ b: BuildingPoint) -> Double {
    guard a.nearestLevel == b.nearestLevel else { return 0 }
    var sum = 0.0
    for wall in walls[a.nearestLevel] ?? [] where wall.stands(between: a.point, and: b.point) { sum += wall.attenuation }
    return sum
  }

  /// Returns whether a wall or a floor stands between two points.
  func isWalledOff(_ a: BuildingPoint, _ b: BuildingPoint) -> Bool {
    a.nearestLevel != b.nearestLevel || (walls[a.nearestLevel] ?? []).contains { $0.stands(between: a.point, and: b.point) }
  }
}

/// Shadowing by furniture and bodies, in standard deviations.
/// It varies from place to place and is constant in time.
///
/// The value is normally distributed at every place. Places farther apart than two steps of the lattice are independent; nearer places
/// are correlated, in the manner of Gudmundson, "Correlation model for shadow fading in mobile radio systems", 1991. The lattice's points
/// are drawn on demand, and always have the same values.
struct ShadowField: Sendable {
  private let seed: UInt64
  /// The step of the lattice in metres.
  private let step: Double

  init(_ random: RandomStream, step: Double) {
    var random = random
    seed = random.word()
    self.step = step
  }

  /// Returns the value at a place, of mean 0 and variance 1. Levels are independent.
  func value(at place: BuildingPoint) -> Double {
    let (x, y) = (place.point.x / step, place.point.y / step)
    // No plan has as many columns.
    let first = place.nearestLevel * 1_000_000
    let (column, row) = (x.rounded(.down), y.rounded(.down))
    let (right, up) = (x - column, y - row)
    var sum = 0.0
    var squares = 0.0
    for (dx, dy, weight) in [(0, 0, (1 - right) * (1 - up)), (1, 0, right * (1 - up)), (0, 1, (1 - right) * up), (1, 1, right * up)] {
      var point = RandomStream(seed: seed, .shadowing, first + Int(column) + dx, Int(row) + dy)
      sum += weight * point.normal()
      squares += weight * weight
    }
    // The mean of several values has a smaller variance than one of them.
    return sum / squares.squareRoot()
  }
}
