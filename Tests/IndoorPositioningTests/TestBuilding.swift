import IndoorPositioning
import RealModule
import Seeds
import Venues

/// A simulated building: beacons in a grid, two stairs, and visitors at walking speed.
struct TestBuilding {
  static let storey = 4.0

  struct Second {
    var level: Int
    var position: PlanPoint
    var isOnStairs: Bool
    var isStill = false
    var packets: [RoomPacket]
    /// The four transmitters with the highest mean RSSI of this second.
    var loudest: [Int]
  }

  let model: RoomModel
  private let width, depth: Double
  private let stairs: [PlanPoint]
  /// The attenuation of a floor in dB.
  private let attenuation: Double
  /// The true path-loss exponent, and the dB by which the receiver hears everything louder than declared.
  private let (exponent, gain): (Double, Double)

  /// - Parameters:
  ///   - spacing: the distance in metres between two beacons.
  ///   - exponent: the true path-loss exponent.
  ///   - gain: the dB by which the receiver hears everything louder than declared.
  init(
    levels: Int, width: Double, depth: Double, cellSize: Double = 1, attenuation: Double = 17, spacing: Double = 12, exponent: Double = 2,
    gain: Double = 0
  ) throws {
    self.width = width
    self.depth = depth
    self.attenuation = attenuation
    (self.exponent, self.gain) = (exponent, gain)
    stairs = [PlanPoint(x: 6, y: 6), PlanPoint(x: width - 6, y: depth - 6)]
    var transmitters: [RoomTransmitter] = []
    for level in 0..<levels {
      for y in stride(from: spacing / 2, to: depth, by: spacing) {
        for x in stride(from: spacing / 2, to: width, by: spacing) {
          transmitters.append(
            RoomTransmitter(identity: "\(level) \(x) \(y)", level: level, point: PlanPoint(x: x, y: y), height: 2.5, power: -59))
        }
      }
    }
    let outline = [Self.rectangle(PlanPoint(x: width / 2, y: depth / 2), width / 2, depth / 2)]
    model = try RoomModel(
      levels: (0..<levels).map { RoomLevel(ordinal: $0, elevation: Double($0) * Self.storey, outline: outline) },
      transmitters: transmitters,
      passages: stairs.map { place in
        RoomPassage(stops: (0..<levels).map { RoomPassage.Stop(level: $0, area: [Self.rectangle(place, 2.5, 2.5)]) })
      }, cellSize: cellSize)
  }

  private static func rectangle(_ middle: PlanPoint, _ x: Double, _ y: Double) -> [PlanPoint] {
    [
      PlanPoint(x: middle.x - x, y: middle.y - y), PlanPoint(x: middle.x + x, y: middle.y - y), PlanPoint(x: middle.x + x, y: middle.y + y),
      PlanPoint(x: middle.x - x, y: middle.y + y),
    ]
  }

  /// Walks to places at random, of which some are on other floors.
  ///
  /// A floor takes 12 s on the stairs.
  func walk(seconds: Int, seed: UInt64) -> [Second] {
    var random = SeededGenerator(seed: seed)
    let radio = Radio(model.transmitters.count, exponent, gain, &random)
    var (level, height) = (0, 0.0)
    var position = PlanPoint(x: width / 2, y: depth / 2)
    var goals: [(level: Int, point: PlanPoint)] = []
    var output: [Second] = []
    while output.count < seconds {
      if goals.isEmpty { goals = route(from: level, &random) }
      let goal = goals[0]
      if goal.level != level {
        let step = goal.level > level ? 1.0 : -1.0
        height += step / 12
        if abs(height - Double(level)) > 0.999 {
          level += Int(step)
          height = Double(level)
        }
      } else {
        let (x, y) = (goal.point.x - position.x, goal.point.y - position.y)
        let distance = (x * x + y * y).squareRoot()
        if distance < 1.2 {
          position = goal.point
          goals.removeFirst()
        } else {
          position = PlanPoint(x: position.x + 1.2 * x / distance, y: position.y + 1.2 * y / distance)
        }
      }
      let packets = radio.packets(model, position, height * Self.storey + 1.5, level: (height).rounded(), attenuation, &random)
      output.append(
        Second(
          level: Int(height.rounded()), position: position, isOnStairs: height != height.rounded(), packets: packets,
          loudest: loudest(packets)))
    }
    return output
  }

  /// Walks to places at random on the lowest level, and stands still at each for some seconds.
  func pausing(seconds: Int, pause: Int, seed: UInt64) -> [Second] {
    var random = SeededGenerator(seed: seed)
    let radio = Radio(model.transmitters.count, exponent, gain, &random)
    var position = PlanPoint(x: width / 2, y: depth / 2)
    var goal = position
    var remaining = pause
    return (0..<seconds).map { _ in
      let isStill = remaining > 0
      if isStill {
        remaining -= 1
        if remaining == 0 {
          goal = PlanPoint(x: Double.random(in: 1..<width - 1, using: &random), y: Double.random(in: 1..<depth - 1, using: &random))
        }
      } else {
        let (x, y) = (goal.x - position.x, goal.y - position.y)
        let distance = (x * x + y * y).squareRoot()
        if distance <= 1.2 {
          (position, remaining) = (goal, pause)
        } else {
          position = PlanPoint(x: position.x + 1.2 * x / distance, y: position.y + 1.2 * y / distance)
        }
      }
      let packets = radio.packets(model, position, 1.5, level: 0, attenuation, &random)
      return Second(level: 0, position: position, isOnStairs: false, isStill: isStill, packets: packets, loudest: loudest(packets))
    }
  }

  private func route(from level: Int, _ random: inout SeededGenerator) -> [(level: Int, point: PlanPoint)] {
    let goal = PlanPoint(x: Double.random(in: 1..<width - 1, using: &random), y: Double.random(in: 1..<depth - 1, using: &random))
    let floor = Int.random(in: 0..<model.levels.count, using: &random)
    if floor == level { return [(level, goal)] }
    let place = stairs[Int.random(in: 0..<stairs.count, using: &random)]
    return [(level, place), (floor, place), (floor, goal)]
  }

  private func loudest(_ packets: [RoomPacket]) -> [Int] {
    let sorted = packets.sorted { $0.rssi == $1.rssi ? $0.transmitter < $1.transmitter : $0.rssi > $1.rssi }
    var found: [Int] = []
    for packet in sorted where found.count < 4 && !found.contains(packet.transmitter) { found.append(packet.transmitter) }
    return found.sorted()
  }

  /// Offsets of transmitters, fading that depends on the place, and noise of packets.
  private struct Radio {
    let (exponent, gain): (Double, Double)
    var offsets: [Double] = []
    var waves: [[(x: Double, y: Double, phase: Double)]] = []

    init(_ count: Int, _ exponent: Double, _ gain: Double, _ random: inout SeededGenerator) {
      (self.exponent, self.gain) = (exponent, gain)
      for _ in 0..<count {
        offsets.append(3.5 * GalleryCase.normal(&random))
        waves.append(
          (0..<4).map { _ in
            let (angle, number) = (Double.random(in: 0..<6.28, using: &random), Double.random(in: 1..<2.5, using: &random))
            return (number * Double.cos(angle), number * Double.sin(angle), Double.random(in: 0..<6.28, using: &random))
          })
      }
    }

    func packets(
      _ model: RoomModel, _ position: PlanPoint, _ z: Double, level: Double, _ attenuation: Double, _ random: inout SeededGenerator
    ) -> [RoomPacket] {
      var packets: [RoomPacket] = []
      for (index, transmitter) in model.transmitters.enumerated() {
        let (x, y) = (transmitter.point.x - position.x, transmitter.point.y - position.y)
        let height = Double(transmitter.level) * TestBuilding.storey + transmitter.height - z
        let square = x * x + y * y + height * height
        if square > 3600 { continue }
        let floors = abs(Double(transmitter.level) - level)
        var mean = transmitter.power + offsets[index] + gain - 5 * exponent * Double.log10(square) - attenuation * floors
        // Four waves with a variance of 25 dB² together.
        for wave in waves[index] { mean += 3.5 * Double.sin(wave.x * position.x + wave.y * position.y + wave.phase) }
        let count = Double.random(in: 0..<1, using: &random) < 0.8 ? 2 : 1
        for _ in 0..<count {
          let rssi = (mean + 4 * GalleryCase.normal(&random)).rounded()
          if rssi > -92 { packets.append(RoomPacket(transmitter: index, rssi: rssi)) }
        }
      }
      return packets
    }
  }
}
