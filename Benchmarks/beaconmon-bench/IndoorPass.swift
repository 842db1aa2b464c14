import IndoorPositioning
import Instants
import Venues

/// Measures one second of the room filter, which is motion and the likelihood of all packets, and one second of the engine.
///
/// A second of the engine also has the position, its accuracy, the distances to all transmitters in range, learning, and twelve areas.
/// The small building has 1,435 cells and 12 transmitters, as the gallery of the shipped walks. The large one has 720,000 cells on three
/// levels, a transmitter every 12 m, and rooms, between which the visitor walks.
struct IndoorPass {
  private static let seconds = 120
  /// The walk in the large building is longer, because the cost depends on where the visitor is.
  private static let largeSeconds = 600

  /// Returns a line of JSON about the fastest pass.
  func run(_ passes: Int) -> String {
    guard let small = try? Self.building(levels: 1, width: 20.66, depth: 17.64, spacing: 5.5),
      let large = try? Self.building(levels: 3, width: 300, depth: 200, spacing: 12, walls: OfficeFloor.walls)
    else { fail("a building is not valid", code: 70) }
    let walk = (0..<Self.seconds).map { Self.second(small, number: $0, at: PlanPoint(x: 6 + Double($0 % 60) * 0.15, y: 8)) { $1 < 40 } }
    let floor = OfficeFloor()
    let largeWalk = (0..<Self.largeSeconds).map { second in
      let place = floor.place(after: 1.2 * Double(second))
      return Self.second(large, number: second, at: place) { index, metres in
        1.2 * metres + OfficeFloor.loss(from: large.transmitters[index].point, to: place) < 35
      }
    }
    let largePasses = max(1, passes * Self.seconds / Self.largeSeconds)
    let (a, b) = (Self.measure(small, walk, passes), Self.measure(large, largeWalk, largePasses))
    let (smallTick, largeTick) = (Self.tick(small, walk, passes), Self.tick(large, largeWalk, largePasses))
    return """
      {"peer":"beaconmon-indoor","small_cells":\(small.cellCount),"small_heard":\(a.heard),"small_us":\(rounded(a.seconds * 1e6, 1)),\
      "large_cells":\(large.cellCount),"large_heard":\(b.heard),"large_us":\(rounded(b.seconds * 1e6, 1)),"large_octets":\(b.octets),\
      "small_tick_us":\(rounded(smallTick * 1e6, 1)),"large_tick_us":\(rounded(largeTick * 1e6, 1))}
      """
  }

  private static func building(
    levels: Int, width: Double, depth: Double, spacing: Double, walls: [PlanPolygon] = []
  ) throws(RoomModelError) -> RoomModel {
    var transmitters: [RoomTransmitter] = []
    for level in 0..<levels {
      for y in stride(from: spacing / 2, to: depth, by: spacing) {
        for x in stride(from: spacing / 2, to: width, by: spacing) {
          transmitters.append(
            RoomTransmitter(identity: "\(level) \(x) \(y)", level: level, point: PlanPoint(x: x, y: y), height: 2.5, power: -59))
        }
      }
    }
    let outline = [PlanPoint(x: 0, y: 0), PlanPoint(x: width, y: 0), PlanPoint(x: width, y: depth), PlanPoint(x: 0, y: depth)]
    return try RoomModel(
      levels: (0..<levels).map { RoomLevel(ordinal: $0, elevation: 4 * Double($0), outline: [outline], obstacles: walls) },
      transmitters: transmitters,
      cellSize: 0.5)
  }

  /// The packets of a second, and the indices of the loudest transmitters.
  private struct Second {
    var packets: [RoomPacket] = []
    var loudest: [Int] = []
  }

  private static func measure(_ model: RoomModel, _ walk: [Second], _ passes: Int) -> (seconds: Double, heard: Int, octets: Int) {
    var best = Double.infinity
    var octets = 0
    for _ in 0..<passes {
      var filter = RoomFilter(model: model)
      let start = processorSeconds()
      for second in walk {
        filter.focus(on: second.loudest)
        filter.predict()
        filter.update(second.packets)
      }
      best = min(best, (processorSeconds() - start) / Double(walk.count))
      octets = max(octets, filter.octets)
    }
    let heard = walk.map { Set($0.packets.map(\.transmitter)).count }.reduce(0, +) / walk.count
    return (best, heard, octets)
  }

  /// The areas whose probabilities the engine computes.
  private static let areas = 12

  /// Returns the processor time of one second of the engine in seconds.
  private static func tick(_ model: RoomModel, _ walk: [Second], _ passes: Int) -> Double {
    let walk = walk.enumerated().map { number, second in
      second.packets.map {
        IndoorSighting(transmitter: $0.transmitter, rssi: $0.rssi, time: Instant(microseconds: Int64(number) * 1_000_000 + 500_000))
      }
    }
    let queries = (0..<areas).map { number in
      let (x, y) = (1 + 4 * Double(number % 4), 1 + 4 * Double(number / 4))
      let ring = [PlanPoint(x: x, y: y), PlanPoint(x: x + 4, y: y), PlanPoint(x: x + 4, y: y + 4), PlanPoint(x: x, y: y + 4)]
      return IndoorQuery.inside(model.area([ring], level: model.levels.count / 2))
    }
    var best = Double.infinity
    for _ in 0..<passes {
      var engine = IndoorEngine(model: model, calibration: IndoorCalibration(isForAll: true))
      engine.queries = queries
      let start = processorSeconds()
      for (number, sightings) in walk.enumerated() {
        _ = engine.step(sightings, through: Instant(microseconds: Int64(number + 1) * 1_000_000))
      }
      best = min(best, (processorSeconds() - start) / Double(walk.count))
    }
    return best
  }

  /// Returns what is heard at a place of the middle level.
  ///
  /// - Parameter isHeard: takes the index of a transmitter and its distance in metres, in which each level counts 4 m more.
  private static func second(_ model: RoomModel, number: Int, at place: PlanPoint, isHeard: (Int, Double) -> Bool) -> Second {
    let level = model.levels.count / 2
    let distances = model.transmitters.enumerated().map { index, transmitter in
      let (x, y) = (transmitter.point.x - place.x, transmitter.point.y - place.y)
      let z = 4 * Double(transmitter.level - level) + 1
      return (index: index, metres: (x * x + y * y + z * z).squareRoot() + 4 * abs(Double(transmitter.level - level)))
    }
    var second = Second()
    for (index, metres) in distances where isHeard(index, metres) {
      // Two packets a second, and three in every fifth.
      for packet in 0..<((number + index) % 5 == 0 ? 3 : 2) {
        second.packets.append(RoomPacket(transmitter: index, rssi: -60 - 1.2 * metres - Double((number + 3 * index + 5 * packet) % 7)))
      }
    }
    second.loudest = distances.sorted { $0.metres < $1.metres }.prefix(4).map(\.index).sorted()
    return second
  }
}
