import IndoorPositioning
import RealModule
import Seeds
import Venues

/// Degraded conditions on the gallery walks.
enum GalleryCase {
  /// Returns runs on the straight walks and on the rectangular one with the beacons of several seeds.
  static func runs(
    _ seeds: Range<UInt64> = 0..<1, walks: [GalleryWalk] = Gallery.walks, hasZones: Bool = true, radio: RadioCorrection = RadioCorrection(),
    _ make: (inout SeededGenerator) throws -> (model: RoomModel, indices: [Int]),
    _ change: (GalleryWalk, inout SeededGenerator) -> GalleryWalk = { walk, _ in walk }
  ) rethrows -> [GalleryRun] {
    try seeds.flatMap { seed in
      var random = SeededGenerator(seed: seed)
      let (model, indices) = try make(&random)
      return walks.map { GalleryRun(change($0, &random), model, indices: indices, radio: radio, hasZones: hasZones) }
    }
  }

  static func base() throws -> (model: RoomModel, indices: [Int]) { (try Gallery.model(isMapped: true), Array(0..<12)) }

  /// The plan with a normal error in metres along both axes.
  static func shifted(_ deviation: Double, _ random: inout SeededGenerator) throws -> (model: RoomModel, indices: [Int]) {
    var shifts: [PlanPoint] = []
    for _ in 0..<12 { shifts.append(PlanPoint(x: deviation * normal(&random), y: deviation * normal(&random))) }
    let model = try Gallery.model(isMapped: true) { index, transmitter in
      transmitter.point.x += shifts[index].x
      transmitter.point.y += shifts[index].y
    }
    return (model, Array(0..<12))
  }

  /// The plan with some of the beacons, of which the others are off.
  static func some(_ count: Int, _ random: inout SeededGenerator) throws -> (model: RoomModel, indices: [Int]) {
    let indices = Array(Array(0..<12).shuffled(using: &random).prefix(count)).sorted()
    return (try Gallery.model(isMapped: true, indices: indices), indices)
  }

  static func normal(_ random: inout some RandomNumberGenerator) -> Double {
    // The sum of twelve has a variance of one.
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
  }

  static func cosine(_ angle: Double) -> Double { .cos(angle) }

  static func naturalLogarithm(_ value: Double) -> Double { .log(value) }

  static func generator(_ seed: UInt64) -> SeededGenerator { SeededGenerator(seed: seed) }

  static func decadicLogarithm(_ value: Double) -> Double { .log10(value) }

  static func louder(_ walk: GalleryWalk, by level: Double) -> GalleryWalk {
    walk.with { GalleryWalk.Packet(time: $0.time, beacon: $0.beacon, rssi: $0.rssi + level) }
  }

  static func thinned(_ walk: GalleryWalk, to share: Double, _ random: inout SeededGenerator) -> GalleryWalk {
    walk.with { Double.random(in: 0..<1, using: &random) < share ? $0 : nil }
  }
}
