import BeaconAdvertising
import Beacons
import Instants
import Proximity
import Ranging
import Regions
import TestSupport
import Testing

/// The engine on real walks, compared with the true positions of the scanner.
@Suite struct GalleryWalkTests {
  static let walks = ["rectangular_without_rotation", "straight_01"]

  @Test func `the nearest beacon is right in 46 of 100 seconds with default settings, and distances err by less than 3 m`() throws {
    let score = try Score(walk: "rectangular_without_rotation")
    #expect(score.nearestShare >= 0.46)
    #expect(score.medianError <= 3)
  }

  @Test func `two thirds of the distances lie within their accuracy`() throws {
    let scores = try Self.walks.map { try Score(walk: $0) }
    let (covered, all) = (scores.map(\.covered).reduce(0, +), scores.map(\.errors.count).reduce(0, +))
    let share = Double(covered) / Double(all)
    #expect(share > 0.6 && share < 0.75, "\(share)")
  }

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

  /// The score of a walk. The first three seconds do not count, because the filters start then.
  struct Score {
    var seconds = 0
    var nearest = 0
    /// The errors of the distances in metres.
    var errors: [Double] = []
    /// The number of errors within the reported accuracy.
    var covered = 0

    init(walk: String) throws {
      let truth = try Truth(walk: walk)
      for second in snapshots(of: try sightings(walk), batch: 100) {
        guard let position = truth.position(at: second.time), second.time >= truth.start + .seconds(3) else { continue }
        seconds += 1
        if let first = second.beacons.first(where: { $0.distance != nil }), first.beacon.minor == truth.nearest(to: position) {
          nearest += 1
        }
        for beacon in second.beacons {
          guard let distance = beacon.distance, let accuracy = beacon.accuracy,
            let real = truth.distance(of: beacon.beacon.minor, from: position)
          else { continue }
          errors.append(abs(distance - real))
          if abs(distance - real) <= accuracy { covered += 1 }
        }
      }
    }

    var nearestShare: Double { Double(nearest) / Double(seconds) }
    var medianError: Double { errors.sorted()[errors.count / 2] }
  }
}

/// The true positions of the scanner and the beacons in metres.
private struct Truth {
  private var times: [Instant] = []
  private var positions: [SIMD3<Double>] = []
  private var beacons: [UInt16: SIMD3<Double>] = [:]

  init(walk: String) throws {
    for row in try Self.rows("gallery-\(walk).truth.csv") {
      let time = Instant(microseconds: Int64((row[0] * 1e6).rounded()))
      if let last = times.last, time <= last { continue }
      times.append(time)
      positions.append(SIMD3(row[1], row[2], row[3]))
    }
    for row in try Self.rows("gallery.beacons.csv") { beacons[UInt16(row[0])] = SIMD3(row[1], row[2], row[3]) }
  }

  var start: Instant { times[0] }

  func position(at time: Instant) -> SIMD3<Double>? {
    guard let next = times.firstIndex(where: { $0 > time }), next > 0 else { return nil }
    let share = (time - times[next - 1]).seconds / (times[next] - times[next - 1]).seconds
    return positions[next - 1] + share * (positions[next] - positions[next - 1])
  }

  func distance(of minor: UInt16, from position: SIMD3<Double>) -> Double? {
    beacons[minor].map { (($0 - position) * ($0 - position)).sum().squareRoot() }
  }

  func nearest(to position: SIMD3<Double>) -> UInt16? {
    beacons.keys.min { distance(of: $0, from: position) ?? .infinity < distance(of: $1, from: position) ?? .infinity }
  }

  private static func rows(_ name: String) throws -> [[Double]] {
    try Fixture.text(name).split(separator: "\n").dropFirst().map { line in
      try line.split(separator: ",").map { try #require(Double($0)) }
    }
  }
}
