import IndoorPositioning
import Instants
import RealModule
import Testing
import Venues

@Suite struct LevelTests {
  @Test func `less than a hundredth of the seconds away from stairs have the wrong floor, with beacons every 12 m on three floors`() throws
  {
    let building = try TestBuilding(levels: 3, width: 60, depth: 48)
    var (seconds, wrong, fixes) = (0, 0, 0)
    var errors: [Double] = []
    // An adapter of known level, and two whose level is learned meanwhile.
    for seed in 4...6 as ClosedRange<UInt64> {
      let walk = building.walk(seconds: 400, seed: seed)
      let isCalibrated = seed == 4
      var engine = IndoorEngine(
        model: building.model, calibration: IndoorCalibration(isForAll: isCalibrated), isLearning: !isCalibrated)
      for (number, second) in walk.enumerated() {
        let time = Instant(microseconds: Int64(number) * 1_000_000 + 500_000)
        let sightings = second.packets.map { IndoorSighting(transmitter: $0.transmitter, rssi: $0.rssi, time: time) }
        guard let output = engine.step(sightings, through: time + .milliseconds(501)).last, number > 5, !second.isOnStairs else { continue }
        seconds += 1
        guard let estimate = output.estimate else { continue }
        fixes += 1
        if estimate.level != second.level { wrong += 1 }
        errors.append(length(estimate.point, second.position))
      }
      #expect(Set(walk.map(\.level)).count == 3)
    }
    #expect(Double(wrong) < 0.01 * Double(seconds), "\(wrong) of \(seconds)")
    #expect(Double(fixes) > 0.6 * Double(seconds), "\(fixes) of \(seconds)")
    #expect(percentile(errors, 0.5) < 5)
  }

  @Test func `with beacons every 20 m and floors of 15 dB, at most 13 of 1,000 seconds have the wrong floor`() throws {
    let building = try TestBuilding(levels: 3, width: 60, depth: 60, attenuation: 15, spacing: 20)
    var (seconds, wrong) = (0, 0)
    for seed in 1...3 as ClosedRange<UInt64> {
      // The filter alone: positions of so few beacons are too uncertain to be reported.
      var filter = RoomFilter(model: building.model)
      var level = 0
      for (number, second) in building.walk(seconds: 600, seed: seed).enumerated() {
        if number > 0 { filter.predict() }
        filter.focus(on: second.loudest)
        filter.update(second.packets)
        level = filter.levelProbabilities().firstIndex { $0 > 0.9 } ?? level
        guard number > 5, !second.isOnStairs else { continue }
        seconds += 1
        if level != second.level { wrong += 1 }
      }
    }
    #expect(Double(wrong) <= 0.013 * Double(seconds), "\(wrong) of \(seconds)")
  }

  @Test(arguments: [(24.0, 18.0, 0.99, 1.0), (6, 6, 0.3, 0.9)])
  func `a level becomes uncertain at stairs, and not elsewhere`(x: Double, y: Double, least: Double, most: Double) throws {
    let building = try TestBuilding(levels: 2, width: 48, depth: 36)
    let transmitters = building.model.transmitters
    var filter = RoomFilter(model: building.model)
    // Loud beacons of the ground floor around the place, and then silence.
    let packets = transmitters.indices.filter { transmitters[$0].level == 0 }.map { index in
      let distance = length(transmitters[index].point, PlanPoint(x: x, y: y))
      return RoomPacket(transmitter: index, rssi: -59 - 10 * Double.log10(distance * distance + 1))
    }
    filter.focus(on: [0])
    for _ in 0..<10 {
      filter.predict()
      filter.update(packets)
    }
    #expect(filter.levelProbabilities()[0] > 0.99)
    for _ in 0..<8 { filter.predict() }
    let probability = filter.levelProbabilities()[0]
    #expect(probability >= least && probability <= most, "\(probability)")
  }
}
