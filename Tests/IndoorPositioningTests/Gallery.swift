import BeaconAdvertising
import Beacons
import IndoorPositioning
import Instants
import TestSupport
import Venues

/// The room of the shipped walks.
enum Gallery {
  static let straightWalks = ["straight_01", "straight_02", "straight_03", "straight_04"]
  static let rectangularWalk = "rectangular_without_rotation"
  static let size = (x: 20.66, y: 17.64)

  /// The places of the beacons: x, y and height in metres, in the order of their minors from one.
  static let beacons: [SIMD3<Double>] = {
    var places: [SIMD3<Double>] = []
    for row in rows("gallery.beacons.csv") { places.append(SIMD3(row[1], row[2], row[3])) }
    return places
  }()

  static let walks: [GalleryWalk] = (straightWalks + [rectangularWalk]).map(GalleryWalk.init)

  static func outline() -> [[PlanPoint]] {
    [[PlanPoint(x: 0, y: 0), PlanPoint(x: size.x, y: 0), PlanPoint(x: size.x, y: size.y), PlanPoint(x: 0, y: size.y)]]
  }

  static func blockedCells() -> [PlanPoint] {
    rows("gallery.walkable.csv").filter { $0[2] == 1 }.map { PlanPoint(x: $0[0], y: $0[1]) }
  }

  /// Returns the model of the room.
  ///
  /// - Parameters:
  ///   - isMapped: whether the cells that visitors cannot walk in are known.
  ///   - indices: the beacons of the plan.
  ///   - change: changes each beacon of the plan.
  static func model(
    isMapped: Bool, indices: [Int] = Array(0..<12), _ change: (Int, inout RoomTransmitter) -> Void = { _, _ in }
  ) throws -> RoomModel {
    let level = RoomLevel(ordinal: 0, outline: outline(), blockedCells: isMapped ? blockedCells() : [])
    let transmitters = indices.map { index in
      var transmitter = RoomTransmitter(
        identity: "1/\(index + 1)", point: PlanPoint(x: beacons[index].x, y: beacons[index].y), height: beacons[index].z, power: -59)
      change(index, &transmitter)
      return transmitter
    }
    return try RoomModel(levels: [level], transmitters: transmitters)
  }

  /// Returns the survey at some of the 81 places.
  static func survey() -> [SurveyReading] {
    rows("gallery.fingerprints.csv").map { row in
      SurveyReading(transmitter: Int(row[3]) - 1, point: PlanPoint(x: row[0], y: row[1]), height: row[2], rssi: row[4])
    }
  }

  static func rows(_ name: String) -> [[Double]] {
    guard let text = try? Fixture.text(name) else { return [] }
    return text.split(separator: "\n").dropFirst().map { line in line.split(separator: ",").map { Double($0) ?? .nan } }
  }
}

/// One walk through the gallery: packets, and the truth at each whole second.
struct GalleryWalk: Sendable {
  struct Packet: Sendable {
    /// Unix time in seconds.
    var time: Double
    var beacon: Int
    var rssi: Double
  }

  let name: String
  let isStraight: Bool
  var packets: [Packet] = []
  /// The times and positions of the truth.
  private(set) var times: [Double] = []
  private(set) var positions: [SIMD3<Double>] = []
  /// The whole seconds, and the true positions then.
  var ticks: [Double] = []
  var truth: [SIMD3<Double>] = []

  init(_ name: String) {
    self.name = name
    isStraight = name != Gallery.rectangularWalk
    var decoder = CaptureDecoder()
    var sightings: [Sighting] = []
    if let octets = try? Fixture.octets("gallery-\(name).btsnoop") { try? decoder.decode(octets.span.bytes, into: &sightings) }
    for sighting in sightings {
      guard let rssi = sighting.rssi else { continue }
      packets.append(
        Packet(time: Double(sighting.time.microseconds) / 1e6, beacon: Int(sighting.beacon.minor) - 1, rssi: Double(rssi)))
    }
    for row in Gallery.rows("gallery-\(name).truth.csv") where times.last.map({ row[0] > $0 }) ?? true {
      times.append(row[0])
      positions.append(SIMD3(row[1], row[2], row[3]))
    }
    setTicks()
  }

  /// Takes the truth at each whole second.
  private mutating func setTicks() {
    guard let first = times.first, let last = times.last else { return }
    ticks = []
    truth = []
    var tick = first.rounded(.up)
    var index = 0
    while tick < last {
      while times[index + 1] <= tick { index += 1 }
      let share = (tick - times[index]) / (times[index + 1] - times[index])
      ticks.append(tick)
      truth.append(positions[index] + share * (positions[index + 1] - positions[index]))
      tick += 1
    }
  }

  /// Returns the walk at a multiple of its speed, with as many packets a second.
  func faster(_ factor: Double) -> GalleryWalk {
    var walk = self
    guard let start = times.first else { return walk }
    walk.times = times.map { start + ($0 - start) / factor }
    // Each beacon keeps every third packet.
    var numbers: [Int: Int] = [:]
    walk.packets = packets.compactMap { packet in
      numbers[packet.beacon, default: 0] += 1
      guard numbers[packet.beacon].map({ $0 % Int(factor) == 0 }) ?? false else { return nil }
      return Packet(time: start + (packet.time - start) / factor, beacon: packet.beacon, rssi: packet.rssi)
    }
    walk.setTicks()
    return walk
  }

  /// Returns the walk with another set of packets.
  func with(_ change: (Packet) -> Packet?) -> GalleryWalk {
    var walk = self
    walk.packets = packets.compactMap(change)
    return walk
  }

  /// Returns the walk with each packet several times.
  func repeated(_ count: Int) -> GalleryWalk {
    var walk = self
    walk.packets = packets.flatMap { Array(repeating: $0, count: count) }
    return walk
  }

  var start: Double { times.first ?? 0 }
  var minutes: Double { ((times.last ?? 0) - start) / 60 }

  /// Returns the packets of each second.
  ///
  /// - Parameter indices: the beacons of the plan.
  func seconds(_ indices: [Int]) -> [[RoomPacket]] {
    var numbers: [Int: Int] = [:]
    for (number, index) in indices.enumerated() { numbers[index] = number }
    var next = 0
    return ticks.map { tick in
      var second: [RoomPacket] = []
      while next < packets.count, packets[next].time <= tick {
        if let number = numbers[packets[next].beacon] { second.append(RoomPacket(transmitter: number, rssi: packets[next].rssi)) }
        next += 1
      }
      return second
    }
  }

  /// Returns the sightings for the engine.
  func sightings(_ indices: [Int] = Array(0..<12), adapter: UInt16 = 0) -> [IndoorSighting] {
    packets.compactMap { packet in
      guard let number = indices.firstIndex(of: packet.beacon) else { return nil }
      let time = Instant(microseconds: Int64((packet.time * 1e6).rounded()))
      return IndoorSighting(transmitter: number, adapter: adapter, rssi: packet.rssi, time: time)
    }
  }
}
