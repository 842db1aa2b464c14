import IndoorPositioning
import Instants
import RealModule
import Seeds
import Testing
import Venues

@Suite struct IndoorEngineTests {
  private static func engine() throws -> IndoorEngine {
    var engine = IndoorEngine(model: try Gallery.model(isMapped: true))
    engine.queries = [.within(transmitter: 0, metres: 3), .inside(engine.model.area(Gallery.outline(), level: 0))]
    return engine
  }

  @Test func `the same sightings give the same output for any batches`() throws {
    let sightings = Gallery.walks[3].sightings()
    let end = try #require(sightings.last).time + .seconds(20)
    var whole = try Self.engine()
    let expected = whole.step(sightings, through: end)
    #expect(expected.count > 30)
    for batch in [1, 7, 100] {
      var engine = try Self.engine()
      var outputs: [IndoorOutput] = []
      for start in stride(from: 0, to: sightings.count, by: batch) {
        let part = sightings[start..<min(start + batch, sightings.count)]
        outputs += engine.step(part, through: part.last?.time ?? end)
      }
      while engine.nextDeadline < end { outputs += engine.step([], through: engine.nextDeadline) }
      #expect(outputs == expected, "batches of \(batch)")
    }
  }

  @Test func `an engine that hears nothing has no deadline and no output`() throws {
    var engine = try Self.engine()
    #expect(engine.nextDeadline == .never)
    #expect(engine.step([], through: Instant(microseconds: 1_000_000_000_000)).isEmpty)
    let unknown = IndoorSighting(transmitter: 12, rssi: -60, time: Instant(microseconds: 1_000_000_000_001))
    #expect(engine.step([unknown], through: Instant(microseconds: 2_000_000_000_000)).isEmpty)
    #expect(engine.nextDeadline == .never)
  }

  @Test func `a first sighting at a whole second counts in the second that it begins`() throws {
    var engine = try Self.engine()
    let start = Instant(microseconds: 5_000_000)
    #expect(engine.step([IndoorSighting(transmitter: 0, rssi: -60, time: start)], through: start).isEmpty)
    #expect(engine.nextDeadline == start + .seconds(1))
  }

  @Test func `a receiver that falls silent is outside after ten seconds, and the engine sleeps`() throws {
    var engine = try Self.engine()
    let sightings = Gallery.walks[3].sightings()
    let last = try #require(sightings.last).time
    let outputs = engine.step(sightings, through: last + .seconds(100))
    #expect(outputs.last?.absence == .outside)
    #expect(outputs.count { $0.absence == .outside } == 1)
    let end = try #require(outputs.last).time
    #expect(end - last >= .seconds(10) && end - last <= .seconds(11))
    #expect(engine.nextDeadline == .never)
  }

  @Test func `weak signals alone mean outside, and loud ones bring the position back after three seconds`() throws {
    var engine = try Self.engine()
    func hear(_ level: Double, _ seconds: Range<Int>) -> [IndoorOutput] {
      seconds.flatMap { second in
        let time = Instant(microseconds: Int64(second) * 1_000_000 + 500_000)
        return engine.step(
          (0..<12).map { IndoorSighting(transmitter: $0, rssi: level - Double($0), time: time) }, through: time + .milliseconds(501))
      }
    }
    let inside = hear(-60, 0..<10)
    #expect(inside.last?.estimate != nil)
    // The level of an unknown adapter counts as 5 dB too low.
    let outside = hear(-100, 10..<30)
    let first = try #require(outside.firstIndex { $0.absence == .outside })
    #expect(first >= 4 && first < 15)
    #expect(outside[first...].allSatisfy { $0.absence == .outside && $0.estimate == nil })
    let back = hear(-60, 30..<50)
    let fix = try #require(back.firstIndex { $0.estimate != nil })
    #expect(fix >= 3 && fix < 15)
  }

  /// Signals fall by the attenuation of a wall; through glass, distance alone shows that the visitor has left.
  @Test(arguments: [(20.0, 10), (10, 16), (3, 41)])
  func `a visitor who leaves by a door is outside in seconds, and behind glass in 40`(wall: Double, limit: Int) throws {
    var times: [Int] = []
    for seed in 0..<5 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var engine = IndoorEngine(model: try Gallery.model(isMapped: true), calibration: IndoorCalibration(isForAll: true), isLearning: false)
      var left: Int?
      for second in 0..<150 {
        // Half a minute by the door in the middle of the lower wall, and then away from it at 1.2 m/s.
        let y = second < 30 ? 1 : 1 - 1.2 * Double(second - 29)
        let time = Instant(microseconds: Int64(second) * 1_000_000)
        let sightings = Gallery.beacons.enumerated().map { index, beacon in
          let range = distance(beacon, SIMD3(10.3, y, 1.5))
          let rssi = -59 - 20 * Double.log10(range) - (y < 0 ? wall : 0) + 5 * GalleryCase.normal(&random)
          return IndoorSighting(transmitter: index, rssi: rssi, time: time + .milliseconds(500))
        }
        guard let output = engine.step(sightings, through: time + .seconds(1)).last else { continue }
        if second == 29 { #expect(output.estimate != nil) }
        if second >= 30, output.absence == .outside { left = left ?? second - 30 }
      }
      times.append(try #require(left))
    }
    #expect(times.sorted()[2] <= limit, "\(times)")
  }

  @Test func `fewer than four beacons give no position`() throws {
    var engine = try Self.engine()
    let outputs = engine.step(Gallery.walks[3].sightings().filter { $0.transmitter < 3 }, through: Instant(microseconds: .max))
    #expect(outputs.count > 20)
    #expect(outputs.allSatisfy { $0.estimate == nil })
    #expect(outputs.contains { $0.absence == .tooFewTransmitters })
  }

  @Test func `a false calibration of an adapter is detected by its loudest beacon`() throws {
    var engine = IndoorEngine(model: try Gallery.model(isMapped: true), calibration: IndoorCalibration(isForAll: true), isLearning: false)
    let walk = GalleryCase.louder(Gallery.walks[4], by: -10)
    let outputs = engine.step(walk.sightings(), through: Instant(microseconds: Int64((walk.ticks.last ?? 0) * 1e6)))
    #expect(outputs.dropFirst(30).allSatisfy { $0.estimate == nil })
    #expect(outputs.contains { $0.absence == .inconsistent })
    var right = IndoorEngine(model: try Gallery.model(isMapped: true), calibration: IndoorCalibration(isForAll: true), isLearning: false)
    let found = right.step(Gallery.walks[4].sightings(), through: Instant(microseconds: Int64((walk.ticks.last ?? 0) * 1e6)))
    #expect(!found.contains { $0.absence == .inconsistent })
  }

  @Test func `probabilities of zones and areas come with each position`() throws {
    var engine = try Self.engine()
    let sightings = Gallery.walks[0].sightings()
    let outputs = engine.step(sightings, through: try #require(sightings.last).time)
    let fixes = outputs.filter { $0.estimate != nil }
    #expect(fixes.count > 30)
    #expect(fixes.allSatisfy { $0.answers.count == 2 && abs($0.answers[1] - 1) < 1e-3 && $0.answers[0] >= 0 && $0.answers[0] <= 1 })
    #expect(
      fixes.allSatisfy { $0.distances.count >= 10 && $0.distances.allSatisfy { $0.distance.metres > 0 && $0.distance.deviation >= 0 } })
    #expect(fixes.contains { $0.isGoodForZones })
  }

  @Test func `RSSI out of range is ignored`() throws {
    var engine = try Self.engine()
    let bad = [127.0, 42, -128, .nan, .infinity].map { IndoorSighting(transmitter: 0, rssi: $0, time: Instant(microseconds: 5)) }
    #expect(engine.step(bad, through: Instant(microseconds: 10_000_000)).isEmpty)
  }
}
