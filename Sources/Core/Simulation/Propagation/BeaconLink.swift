import Instants

/// The radio link from one beacon to one adapter.
struct BeaconLink: Sendable {
  let adapter: UInt16
  private let beacon: Int
  private let receiver: Int
  private let sensitivity: Double
  private let fading: RicianFading
  private var channel: BurstChannel
  /// The losses at the receiver.
  private var reception: BurstChannel
  private let duty: ScanDuty?
  private var random: RandomStream
  /// The mean level if neither end ever moves; nil if one does.
  private let fixedLevel: Double?

  init(_ venue: SimulatedVenue, beacon: Int, receiver: Int, adapter: Int, seed: UInt64) {
    self.adapter = UInt16(adapter)
    self.beacon = beacon
    self.receiver = receiver
    let scenario = venue.scenario
    sensitivity = scenario.receivers[receiver].sensitivity
    fading = scenario.radio.fading
    channel = BurstChannel(
      scenario.beacons[beacon].loss ?? scenario.radio.loss, RandomStream(seed: seed, .loss, beacon, adapter), from: Scenario.start)
    reception = BurstChannel(
      scenario.receivers[receiver].loss, RandomStream(seed: seed, .reception, beacon, adapter), from: Scenario.start)
    duty = scenario.receivers[receiver].duty
    random = RandomStream(seed: seed, .fading, beacon, adapter)
    if let from = scenario.beacons[beacon].position.fixed, let to = scenario.receivers[receiver].position.fixed {
      fixedLevel = venue.level(beacon: beacon, receiver: receiver, (from, to))
    } else {
      fixedLevel = nil
    }
  }

  /// Returns the RSSI of an advertisement at `time`; nil if it is lost or too weak.
  /// Times must not decrease.
  mutating func hear(_ venue: SimulatedVenue, at time: Instant) -> Int8? {
    guard !channel.loses(at: time), !reception.loses(at: time), duty?.isOn(at: time - Scenario.start) ?? true else { return nil }
    guard
      let level = fixedLevel
        ?? venue.places(beacon: beacon, receiver: receiver, at: time).map({ venue.level(beacon: beacon, receiver: receiver, $0) })
    else { return nil }
    let faded = level + fading.fade(&random)
    return faded < sensitivity ? nil : RadioModel.rssi(faded)
  }
}
