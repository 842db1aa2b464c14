import BeaconAdvertising
import Beacons
import Instants
import Proximity
import Ranging
import Regions
import TestSupport
import Testing

/// The engine on real walks. GalleryScoreTests compares its output with the true positions.
@Suite struct GalleryWalkTests {
  @Test func `the same walk gives the same snapshots for any batches`() throws {
    let sightings = try Self.sightings("straight_01")
    let whole = Self.snapshots(of: sightings, batch: sightings.count)
    for batch in [1, 2, 7, 100] { #expect(Self.snapshots(of: sightings, batch: batch) == whole, "batches of \(batch)") }
    #expect(whole.count > 50)
  }
}

extension GalleryWalkTests {
  static func sightings(_ walk: String) throws -> [Sighting] {
    let octets = try Fixture.octets("gallery-\(walk).btsnoop")
    var decoder = CaptureDecoder()
    var sightings: [Sighting] = []
    try decoder.decode(octets.span.bytes, into: &sightings)
    return sightings
  }

  struct Second: Equatable {
    let time: Instant
    let beacons: [RangedBeacon]
  }

  /// Returns one snapshot a second, as `beaconmon range` prints them.
  static func snapshots(of sightings: [Sighting], batch: Int) -> [Second] {
    guard let first = sightings.first, let last = sightings.last else { return [] }
    let constraint = BeaconConstraint(uuid: first.beacon.uuid)
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    engine.startRanging(constraint)
    var driver = EngineDriver(engine: engine)
    driver.start(at: first.time)
    var seconds: [Second] = []
    for start in stride(from: 0, to: sightings.count, by: batch) {
      let part = Array(sightings[start..<min(start + batch, sightings.count)])
      for case .snapshots(let snapshots, let time) in driver.step(part, through: part.last?.time ?? last.time) {
        seconds.append(Second(time: time, beacons: snapshots[constraint] ?? []))
      }
    }
    return seconds
  }
}
