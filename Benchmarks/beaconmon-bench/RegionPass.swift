import BeaconAdvertising
import Beacons
import Instants
import Proximity
import Regions

/// Measures many regions in the engine: 2,000 beacons at 2,000 sightings a second, and 10,000 regions.
///
/// Each beacon has two regions. The sightings are made before, so only the engine is measured. The yardstick's regions.c does the same.
struct RegionPass {
  private static let (beacons, window, majors, regions, rate, seconds) = (2000, 1200, 100, 10_000, 2000, 600)
  private static let uuid = BeaconUUID(high: 0x1111_1111_1111_1111, low: 0x1111_1111_1111_1111)

  /// The sightings in batches of a tenth of a second, as the engine receives them.
  private let batches: [[Sighting]]
  private let definitions: [Region]

  init() {
    let beaconsOfMajor = Self.beacons / Self.majors
    var state: UInt64 = 1
    let sightings = (0..<Self.rate * Self.seconds).map { index in
      let random = Self.next(&state)
      // The window of present beacons moves every second, so each is present for a minute and absent for forty seconds.
      let beacon = (Int(random % UInt64(Self.window)) + index / Self.rate * 20) % Self.beacons
      return Sighting(
        beacon: BeaconIdentity(uuid: Self.uuid, major: UInt16(beacon / beaconsOfMajor), minor: UInt16(beacon % beaconsOfMajor)),
        measuredPower: -59, rssi: Int8(-50 - Int(random >> 32 % 30)), time: Instant(microseconds: Int64(index * (1_000_000 / Self.rate))))
    }
    let batch = Self.rate / 10
    batches = stride(from: 0, to: sightings.count, by: batch).map { Array(sightings[$0..<$0 + batch]) }
    let ofMajors = (0..<Self.majors).map { BeaconConstraint(uuid: Self.uuid, major: UInt16($0)) }
    let ofBeacons = (0..<Self.regions - Self.majors).map { number in
      BeaconConstraint(uuid: Self.uuid, major: UInt16(number / beaconsOfMajor), minor: UInt16(number % beaconsOfMajor))
    }
    definitions = (ofBeacons + ofMajors).enumerated().map { .beacon(BeaconRegion(identifier: "region \($0)", constraint: $1)) }
  }

  /// Returns a line of JSON about the fastest pass.
  func run(_ passes: Int) -> String {
    let pass = EnginePass(
      best: passes, regions: definitions.count, engine, feeding: batches, until: Instant(microseconds: Int64(Self.seconds) * 1_000_000)
    ) {
      $0.ingest($1)
    }
    let sightings = Self.rate * Self.seconds
    return """
      {"peer":"beaconmon-regions","sightings":\(sightings),"enters":\(pass.enters),"exits":\(pass.exits),\
      "ns_per_sighting":\(rounded(pass.seconds * 1e9 / Double(sightings), 2)),"octets_per_region":\(rounded(pass.octetsPerRegion, 1))}
      """
  }

  private func engine() -> ProximityEngine {
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    engine.replaceRegions(with: definitions, at: engine.now)
    return engine
  }

  /// Returns the next word of SplitMix64.
  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
