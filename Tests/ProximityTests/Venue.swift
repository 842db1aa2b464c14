import BeaconAdvertising
import Beacons
import Events
import Instants
import Proximity
import Ranging
import Regions

/// Drives an engine by hand, in seconds, and records its events.
struct Venue {
  static let uuid = BeaconUUID(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d)

  var engine: ProximityEngine
  var log: [String] = []

  init(_ regions: BeaconRegion..., settings: EngineSettings = EngineSettings()) {
    engine = ProximityEngine(settings: settings, at: Instant(microseconds: 0))
    for region in regions { engine.add(.beacon(region), at: Instant(microseconds: 0)) }
  }

  static func region(
    _ name: String = "hall", major: UInt16? = nil, minor: UInt16? = nil, exitDelay: Double = 30, learns: Bool = false,
    within: Double? = nil, hold: Double? = 2, nearestOnly: Bool = false, minimumRSSI: Double? = nil, entry: BeaconRegion.Entry? = nil,
    dwell: Double? = nil,
    assumed: RegionState = .unknown, notifyEntry: Bool = true, notifyExit: Bool = true
  ) -> BeaconRegion {
    BeaconRegion(
      identifier: name, constraint: constraint(major, minor), exitDelay: .seconds(exitDelay), learnsExitDelay: learns,
      nearness: within.map { BeaconRegion.Nearness(within: $0, hold: hold.map { .seconds($0) }, isNearestOnly: nearestOnly) },
      minimumRSSI: minimumRSSI, entry: entry, dwell: dwell.map { .seconds($0) },
      assumed: assumed, notifyOnEntry: notifyEntry, notifyOnExit: notifyExit)
  }

  private static func constraint(_ major: UInt16?, _ minor: UInt16?) -> BeaconConstraint {
    guard let constraint = BeaconConstraint(uuid: uuid, major: major, minor: minor) else { preconditionFailure("a minor requires a major") }
    return constraint
  }

  /// Returns the RSSI of a beacon of −59 dBm at `metres` by the default model, in whole dBm.
  static func rssi(at metres: Double) -> Int8 {
    var rssi: Int8 = -59
    let model = PathLossModel()
    while model.distance(rssi: Double(rssi) - 0.5, referencePower: -59).metres < metres { rssi -= 1 }
    while model.distance(rssi: Double(rssi) + 0.5, referencePower: -59).metres > metres { rssi += 1 }
    return rssi
  }

  mutating func hear(
    _ seconds: Double, minor: UInt16 = 1, major: UInt16 = 1, metres: Double = 1, power: Int8 = -59, uuid: BeaconUUID = Venue.uuid,
    adapter: UInt16 = 0
  ) {
    hear(seconds, rssi: Venue.rssi(at: metres), minor: minor, major: major, power: power, uuid: uuid, adapter: adapter)
  }

  mutating func hear(
    _ seconds: Double, rssi: Int8?, minor: UInt16 = 1, major: UInt16 = 1, power: Int8 = -59, uuid: BeaconUUID = Venue.uuid,
    adapter: UInt16 = 0
  ) {
    engine.ingest(
      Sighting(
        beacon: BeaconIdentity(uuid: uuid, major: major, minor: minor), measuredPower: power, rssi: rssi, adapter: adapter,
        time: Instant(microseconds: 0) + .seconds(seconds)))
    note()
  }

  /// Returns one sighting of one beacon.
  func sighting(_ seconds: Double) -> Sighting {
    Sighting(
      beacon: BeaconIdentity(uuid: Venue.uuid, major: 1, minor: 1), measuredPower: -59, rssi: -59,
      time: Instant(microseconds: 0) + .seconds(seconds))
  }

  /// Hears the beacon every 100 ms from `start` until just before `end`.
  mutating func hear(
    from start: Double, to end: Double, minor: UInt16 = 1, metres: Double = 1, power: Int8 = -59, adapter: UInt16 = 0
  ) {
    for step in 0..<Int(((end - start) * 10).rounded()) {
      hear(start + Double(step) / 10, minor: minor, metres: metres, power: power, adapter: adapter)
    }
  }

  mutating func pass(to seconds: Double) {
    engine.advance(to: Instant(microseconds: 0) + .seconds(seconds))
    note()
  }

  mutating func reception(_ reception: Reception, at seconds: Double) {
    receivers(.all(reception), at: seconds)
  }

  mutating func receivers(_ receivers: Receivers, at seconds: Double) {
    engine.setReception(receivers, at: Instant(microseconds: 0) + .seconds(seconds))
    note()
  }

  mutating func restore(_ saved: [SavedRegion], after outage: Double?, at seconds: Double, engineTime: (Instant) -> Instant) {
    engine.restore(saved, after: outage.map { .seconds($0) }, at: Instant(microseconds: 0) + .seconds(seconds), engineTime: engineTime)
    note()
  }

  private mutating func note() {
    for event in engine.drainEvents() {
      let transition = event.transition
      let time = (transition.time - Instant(microseconds: 0)).seconds
      log.append("\(time) \(transition.region.identifier) \(transition.kind) \(transition.state) \(transition.cause)")
    }
  }
}
