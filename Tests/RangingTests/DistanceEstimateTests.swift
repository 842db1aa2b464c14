import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Testing

@Suite struct DistanceEstimateTests {
  let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 5)

  /// Returns the estimate after a minute of ten samples a second, so that 40 samples are effective.
  func estimate(rssi: Int8, _ settings: RangingSettings = RangingSettings(), samples: Int = 600) throws -> DistanceEstimate {
    var track = BeaconTrack(beacon, settings: settings, at: Instant(microseconds: 0))
    for index in 0..<samples {
      track.hear(Sighting(beacon: beacon, measuredPower: -59, rssi: rssi, time: Instant(microseconds: Int64(index) * 100_000)))
    }
    return try #require(track.estimate)
  }

  @Test(
    // From `range_bayes` of the reference in Python: level, effective samples, distance, accuracy.
    arguments: [
      (-59, 1, 2.096, 1.696), (-59, 600, 1.824, 1.260), (-79, 600, 7.720, 5.336), (-41, 600, 0.498, 0.344), (-73, 600, 5.007, 3.461),
    ] as [(Int8, Int, Double, Double)])
  func `the distance is the median of the posterior, and the accuracy its deviation`(
    rssi: Int8, samples: Int, metres: Double, accuracy: Double
  ) throws {
    let estimate = try estimate(rssi: rssi, samples: samples)
    #expect(estimate.method == .bayesian)
    #expect(abs(estimate.distance.metres - metres) < 0.002)
    #expect(abs(try #require(estimate.accuracy) - accuracy) < 0.002)
  }

  @Test func `the plain method ignores the prior`() throws {
    let estimate = try estimate(rssi: -79, RangingSettings(method: .plain))
    #expect(estimate.method == .plain)
    #expect(abs(estimate.distance.metres - 10) < 1e-9)
    #expect(abs(try #require(estimate.accuracy) - 5.76) < 0.01)
  }

  @Test func `a beacon with an offset of its own is nearer to path loss alone, and more accurate`() throws {
    let (known, unknown) = (try estimate(rssi: -59, RangingSettings(beaconOffsets: [beacon: 0])), try estimate(rssi: -59))
    #expect(known.distance < unknown.distance && Distance(metres: 1) < known.distance)
    #expect(try #require(known.accuracy) / known.distance.metres < (try #require(unknown.accuracy)) / unknown.distance.metres)
  }

  @Test func `the prior does not affect the band, and beacons are ordered by the distance with the prior`() throws {
    var touching = BeaconTrack(beacon, settings: RangingSettings(), at: Instant(microseconds: 0))
    touching.hear(Sighting(beacon: beacon, measuredPower: -59, rssi: -52, time: Instant(microseconds: 0)))
    #expect(touching.proximity == .immediate)
    #expect(try #require(touching.estimate).distance.metres > 1)
    // One sample is worth less than many, so that the prior draws it further away.
    var steady = BeaconTrack(
      BeaconIdentity(uuid: beacon.uuid, major: 1, minor: 6), settings: RangingSettings(), at: Instant(microseconds: 0))
    for index in 0...100 {
      steady.hear(Sighting(beacon: steady.beacon, measuredPower: -59, rssi: -53, time: Instant(microseconds: Int64(index - 100) * 100_000)))
    }
    let beacons = try [steady, touching].map { try #require(RangedBeacon($0, at: Instant(microseconds: 0))) }
    #expect(try #require(beacons[0].distance) < (try #require(beacons[1].distance)))
    #expect(beacons.sorted(by: RangedBeacon.precedes).map(\.beacon.minor) == [6, 5])
  }

  @Test func `a new method applies from the next sighting on`() throws {
    var track = BeaconTrack(beacon, settings: RangingSettings(), at: Instant(microseconds: 0))
    track.hear(Sighting(beacon: beacon, measuredPower: -59, rssi: -59, time: Instant(microseconds: 0)))
    track.calibrate(RangingSettings(method: .plain))
    #expect(try #require(track.estimate).distance == Distance(metres: 1))
  }
}
