import Instants
import Venues

/// The positions of all objects over time, and the mean levels before fading and loss.
struct SimulatedVenue: Sendable {
  let scenario: Scenario
  /// The shadowing as seen from each beacon, and from each receiver.
  private let beaconShadows: [ShadowField]
  private let receiverShadows: [ShadowField]

  init(_ scenario: Scenario, seed: UInt64) {
    self.scenario = scenario
    let step = scenario.radio.shadowingDistance
    beaconShadows = scenario.beacons.indices.map { ShadowField(RandomStream(seed: seed, .shadowing, 0, $0), step: step) }
    receiverShadows = scenario.receivers.indices.map { ShadowField(RandomStream(seed: seed, .shadowing, 1, $0), step: step) }
  }

  /// Returns the place; nil while its carrier is away.
  func place(of position: VenuePosition, at time: Instant) -> PlanPoint? {
    switch position {
    case .fixed(let point): point
    case .carried(let visitor): scenario.visitors[visitor].place(at: time - Scenario.start)
    }
  }

  /// Returns the places of both ends; nil if either is away or the battery is empty.
  func places(beacon: Int, receiver: Int, at time: Instant) -> (beacon: PlanPoint, receiver: PlanPoint)? {
    let sender = scenario.beacons[beacon]
    if let death = sender.batteryDeath, time >= Scenario.start + death { return nil }
    guard let from = place(of: sender.position, at: time), let to = place(of: scenario.receivers[receiver].position, at: time) else {
      return nil
    }
    return (from, to)
  }

  /// Returns the mean level in dBm from power, distance, walls, shadowing and the receiver's offset.
  func level(beacon: Int, receiver: Int, _ places: (beacon: PlanPoint, receiver: PlanPoint)) -> Double {
    let radio = scenario.radio
    var level = scenario.beacons[beacon].power + scenario.receivers[receiver].offset
    level -= radio.pathLoss(metres: places.beacon.distance(to: places.receiver))
    level -= wallLoss(places.beacon, places.receiver)
    if radio.shadowing > 0 {
      // Either end may move, and each half of the variance depends on one of them.
      let shadows = beaconShadows[beacon].value(at: places.receiver) + receiverShadows[receiver].value(at: places.beacon)
      level += radio.shadowing * 0.5.squareRoot() * shadows
    }
    return level
  }

  func wallLoss(_ a: PlanPoint, _ b: PlanPoint) -> Double {
    var sum = 0.0
    for wall in scenario.walls where wall.stands(between: a, and: b) { sum += wall.attenuation }
    return sum
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

  /// Returns the value at a place, of mean 0 and variance 1.
  func value(at place: PlanPoint) -> Double {
    let (x, y) = (place.x / step, place.y / step)
    let (column, row) = (x.rounded(.down), y.rounded(.down))
    let (right, up) = (x - column, y - row)
    var sum = 0.0
    var squares = 0.0
    for (dx, dy, weight) in [(0, 0, (1 - right) * (1 - up)), (1, 0, right * (1 - up)), (0, 1, (1 - right) * up), (1, 1, right * up)] {
      var point = RandomStream(seed: seed, .shadowing, Int(column) + dx, Int(row) + dy)
      sum += weight * point.normal()
      squares += weight * weight
    }
    // The mean of several values has a smaller variance than one of them.
    return sum / squares.squareRoot()
  }
}
