import Instants

/// The positions of all objects over time, and the mean levels before fading and loss.
struct Venue: Sendable {
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
  func place(of whereabouts: VenuePosition, at time: Instant) -> Point? {
    switch whereabouts {
    case .fixed(let point): point
    case .carried(let visitor): scenario.visitors[visitor].place(at: time - Scenario.start)
    }
  }

  /// Returns the places of both ends; nil if either is away or the battery is empty.
  func places(beacon: Int, receiver: Int, at time: Instant) -> (beacon: Point, receiver: Point)? {
    let sender = scenario.beacons[beacon]
    if let death = sender.batteryDeath, time >= Scenario.start + death { return nil }
    guard let from = place(of: sender.whereabouts, at: time), let to = place(of: scenario.receivers[receiver].whereabouts, at: time) else {
      return nil
    }
    return (from, to)
  }

  /// Returns the mean level in dBm from power, distance, walls, shadowing and the receiver's offset.
  func level(beacon: Int, receiver: Int, _ places: (beacon: Point, receiver: Point)) -> Double {
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

  func wallLoss(_ a: Point, _ b: Point) -> Double {
    var sum = 0.0
    for wall in scenario.walls where wall.stands(between: a, and: b) { sum += wall.attenuation }
    return sum
  }
}

extension VenuePosition {
  var visitor: Int? {
    if case .carried(let visitor) = self { visitor } else { nil }
  }
}
